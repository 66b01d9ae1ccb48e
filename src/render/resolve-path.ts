import { SetpointError } from '../model/index.ts';

/** Where a path written in `folder` leads, from the root of the tree; `/x` starts at the root. It never leaves the tree. */
export function resolvePath(folder: string, written: string): string {
  const refuse = (why: string): SetpointError => new SetpointError('PathInvalid', `${JSON.stringify(written)} ${why}`);
  if (written === '') throw refuse('is no path: a file inside the source is wanted');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written)) throw refuse('is a URL: only files inside the source are read');
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001F\\]/.test(written)) throw refuse('has a character that no path inside the source has');
  const parts = written.startsWith('/') || folder === '' ? [] : folder.split('/');
  for (const part of written.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) throw refuse('leads out of the source');
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
