import type { Glob } from './glob.ts';

/** The globs that together mean what a regular expression means, or a part of it that no glob expresses. */
export function globsOfRegex(
  regex: string,
): { readonly type: 'globs'; readonly globs: readonly Glob[] } | { readonly type: 'unknown'; readonly part: string } {
  const globs: Glob[] = [];
  for (const alternative of alternatives(regex)) {
    const glob = globOfRegex(alternative);
    if (typeof glob === 'string') return { type: 'unknown', part: glob };
    globs.push(glob);
  }
  return { type: 'globs', globs };
}

/** `^(a|b)-` is `^a-` and `^b-`. What is left of groups and bars is then no part of a glob. */
function alternatives(regex: string): readonly string[] {
  if (/\\[()|]/.test(regex)) return [regex];
  const [, before = '', group, after = ''] = /^([^()|]*)\((?:\?:)?([^()]*)\)([^()|]*)$/.exec(regex) ?? [];
  return group === undefined ? regex.split('|') : group.split('|').map((choice) => before + choice + after);
}

function globOfRegex(regex: string): Glob | string {
  const openStart = !regex.startsWith('^');
  const openEnd = !regex.endsWith('$') || regex.endsWith('\\$');
  const body = regex.slice(openStart ? 0 : 1, openEnd ? undefined : -1);
  const parts = openStart ? ['', ''] : [''];
  for (const [piece] of body.matchAll(/\.\*|\\?[^]/g)) {
    if (piece === '.*') parts.push('');
    else if (/^(?:\\[^\w]|[^\\.*+?^$()[\]{}|])$/.test(piece)) parts.push(`${parts.pop() ?? ''}${piece.slice(-1)}`);
    else return piece;
  }
  return openEnd ? [...parts, ''] : parts;
}
