const longest = 500;

/** Text of others for a message: one line, nothing that a terminal would obey, bounded. */
export function messageText(text: string, limit = longest): string {
  // Far more than is shown, so that a hostile text costs no time.
  const oneLine = text
    .slice(0, longest * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ')
    .trim();
  if (oneLine.length <= limit) return oneLine;
  return `${oneLine.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** Without what a URL may carry beside its address: a user, a token in its query. */
export function withoutUrlSecrets(text: string): string {
  return text.replaceAll(/(?<scheme>https?:\/\/)(?:[^\s/@"']*@)?(?<address>[^\s"'?]*)(?:\?[^\s"']*)?/g, '$<scheme>$<address>');
}
