/** `*` stands for any run of characters and `?` for one. No pattern takes long, unlike a RegExp of many `*`: patterns are somebody's input. */
export function matchesGlob(pattern: string, text: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === text;
  const [start = '', ...runs] = pattern.split('*');
  const end = runs.pop();
  if (end === undefined) return isAt(start, text, 0) && start.length === text.length;
  if (!isAt(start, text, 0) || text.length < start.length + end.length || !isAt(end, text, text.length - end.length)) return false;
  let from = start.length;
  const limit = text.length - end.length;
  for (const run of runs) {
    while (from + run.length <= limit && !isAt(run, text, from)) from += 1;
    if (from + run.length > limit) return false;
    from += run.length;
  }
  return true;
}

function isAt(part: string, text: string, at: number): boolean {
  if (at + part.length > text.length) return false;
  for (let offset = 0; offset < part.length; offset += 1) {
    if (part[offset] !== '?' && part[offset] !== text[at + offset]) return false;
  }
  return true;
}
