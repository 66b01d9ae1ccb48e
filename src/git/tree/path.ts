import { SetpointError } from '../../model/index.ts';

/** The names of a path from the root; none for the root itself. */
export function checkPath(path: string): readonly string[] {
  if (path === '') return [];
  const names = path.split('/');
  if (path.includes('\0') || names.some((name) => name === '' || name === '.' || name === '..')) {
    throw new SetpointError('PathInvalid', `${JSON.stringify(path)} is not a path from the root of the repository: give names with / between them`);
  }
  return names;
}
