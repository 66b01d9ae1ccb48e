/** Whether a text is what a pattern says, where `*` stands for any text and `?` for one character. Linear: a RegExp of many `*` is not. */
export function matchesGlob(pattern: string, text: string): boolean {
  let [p, t] = [0, 0];
  // Where to go on when the last `*` has to take one character more.
  let retry: { readonly p: number; readonly t: number } | undefined;
  while (t < text.length) {
    if (pattern[p] === '*') {
      p += 1;
      retry = { p, t };
    } else if (pattern[p] === '?' || (p < pattern.length && pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else {
      if (retry === undefined) return false;
      retry = { p: retry.p, t: retry.t + 1 };
      ({ p, t } = retry);
    }
  }
  return /^\**$/.test(pattern.slice(p));
}
