/** The three signs that mean something to Slack: `<!channel>` stays a text. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escaped, and cut to what a field may hold; never within an escaped sign. */
export function fittingSlack(text: string, longest: number): string {
  const escaped = escapeSlack(text);
  if (escaped.length <= longest) return escaped;
  return `${escaped.slice(0, longest - 1).replace(/&[a-z]*$/, '').replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Lines in which stars, underlines and tildes mean nothing. Slack has no way to escape a backtick, so it is another sign there. */
export function fencedSlack(lines: readonly string[]): string {
  return `\`\`\`\n${lines.join('\n').replaceAll('`', 'ˋ')}\n\`\`\``;
}
