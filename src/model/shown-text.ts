const longest = 80;

/** Text from outside for a message: on one line, whatever it holds, and not too long. */
export function shownText(text: string): string {
  const escaped = JSON.stringify(text.slice(0, longest)).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
  return text.length > longest ? `${escaped}…` : escaped;
}
