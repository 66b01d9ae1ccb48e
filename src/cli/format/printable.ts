// Names, values and messages come from whoever can write to the cluster or to Git. Control characters would steer the terminal
// (colours, the cursor, its title, its clipboard); direction marks would show a text in another order than it has.
const unsafe = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\uFEFF]/gu;
const unsafeBetweenLines = /[[\p{Cc}\p{Bidi_Control}\u2028\u2029\uFEFF]--[\n\t]]/gv;

const short: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

/** A name or a path on one line, with what cannot be seen written as an escape. */
export function printable(text: string): string {
  return text.replaceAll(unsafe, (character) => short[character] ?? unicodeEscape(character));
}

/** A message on one line: its line breaks become spaces. */
export function oneLine(text: string): string {
  return printable(text.trim().replaceAll(/\s*\n\s*/g, ' '));
}

/** Whether a text of several lines holds something that must not reach a terminal. */
export function isUnsafe(text: string): boolean {
  return text.search(unsafeBetweenLines) !== -1;
}

/** For a text in which such characters stand inside double quotes only: JSON, and YAML that was written so. */
export function escapeQuoted(text: string): string {
  return text.replaceAll(unsafeBetweenLines, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
