const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this process may not read it: check its owner and mode',
  EPERM: 'this process may not read it: check its owner and mode',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'what should be a folder is a file',
  EISDIR: 'it is a folder, and a file was expected',
  ELOOP: 'its symbolic link leads nowhere',
};

/** Why a file or folder could not be read, in words and without its path. */
export function whyUnreadable(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? (reasons[code] ?? code) : name;
}
