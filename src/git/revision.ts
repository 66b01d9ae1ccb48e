import { SetpointError, shownText } from '../model/index.ts';

export type Revision =
  | { readonly type: 'commit'; readonly oid: string }
  /** The full names that it may stand for, the first that exists counts. */
  | { readonly type: 'reference'; readonly names: readonly string[] };

/** What someone calls a commit: a branch, a tag, a full reference name, HEAD or a whole commit id. Nothing is computed from it. */
export function checkRevision(text: string): Revision {
  if (/^[0-9a-f]{40}$/i.test(text)) return { type: 'commit', oid: text.toLowerCase() };
  const fault = faultOf(text);
  if (fault !== undefined) throw new SetpointError('RevisionNotFound', `the revision ${shownText(text)} ${fault}`);
  return { type: 'reference', names: text === 'HEAD' || text.startsWith('refs/') ? [text] : [`refs/heads/${text}`, `refs/tags/${text}`] };
}

const longest = 512;

/** In the order of git check-ref-format(1), after what only we refuse. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'is empty: give a branch, a tag or a commit id'],
  [/^[0-9a-f]{64}$/i, 'is the id of a SHA-256 repository, which is not supported: give a branch or a tag of a SHA-1 repository'],
  // Digits alone are as likely a date, letters alone a word: those are names.
  [/^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,39}$/i, 'looks like a shortened commit id: give all 40 digits, or refs/heads/… for a branch of that name'],
  [/^-/, 'starts with a dash, as an option does'],
  [/\.lock(?:\/|$)/, 'has a part that ends with .lock, which Git keeps for itself'],
  [/(?:^|\/)\./, 'has a part that starts with a dot, which Git does not allow'],
  [/\.\./, 'has .. in it: ranges of commits are not taken, give one branch, tag or commit id'],
  [/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, 'has a line break, a tab or another character that cannot be seen'],
  [/ /, 'has a space in it, which Git does not allow'],
  [/@\{/, 'has @{ in it: the local history of a branch is not known here, give the branch, a tag or a commit id'],
  [/[~^]/, 'has ~ or ^ in it: parents and searches are not computed, give the commit id they lead to'],
  [/:/, 'has a colon in it: the path is given separately'],
  [/[*?[]/, 'has *, ? or [ in it: patterns are not taken, give one branch or tag'],
  [/\\/, 'has a backslash in it, which Git does not allow'],
  [/^\/|\/\/|\/$/, 'has a slash too many'],
  [/\.$/, 'ends with a dot, which Git does not allow'],
  [/^@$/, 'is @ alone: write HEAD'],
];

function faultOf(text: string): string | undefined {
  if (text.length > longest) return `is longer than ${longest} characters`;
  if (!text.isWellFormed()) return 'is not text';
  return faults.find(([pattern]) => pattern.test(text))?.[1];
}
