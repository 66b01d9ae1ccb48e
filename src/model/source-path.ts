import { SetpointError } from './errors.ts';
import { shownText } from './shown-text.ts';

/** A folder or file inside a repository: `''` for all of it, otherwise names with one slash between them. */
export function checkSourcePath(text: string): string {
  const fault = faultOf(text);
  if (fault !== undefined) throw new SetpointError('PathInvalid', `the path ${shownText(text)} ${fault}: give a folder or file inside the repository`);
  return text
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

const longest = 4096;

const faults: readonly (readonly [RegExp, string])[] = [
  [/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, 'has a NUL, a line break or another character that cannot be seen'],
  [/\\/, 'has a backslash'],
  [/^[a-z][a-z0-9+.-]*:(?:\/|$)/i, 'is a URL or starts with a drive'],
  [/^\//, 'is absolute'],
  [/^-/, 'starts with a dash, as an option does'],
  [/(?:^|\/)\.\.(?:\/|$)/, 'leads upwards'],
  [/%(?:2e|2f|5c|[01][0-9a-f]|7f|25)/i, 'has an encoded dot, slash or control character'],
  // Also what file systems take for it: other cases, dots and spaces at the end, the short name of Windows.
  [/(?:^|\/)(?:\.git[. ]*|git~[0-9]+)(?::[^/]*)?(?:\/|$)/i, "is in Git's own folder"],
];

function faultOf(text: string): string | undefined {
  if (text.length > longest) return `is longer than ${longest} characters`;
  if (!text.isWellFormed()) return 'is not text';
  return faults.find(([pattern]) => pattern.test(text))?.[1];
}
