/** What HFS+ leaves out when it compares names. */
const unseen = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** Why a name must not stand in a tree, or undefined: whoever writes it to a disk must stay below the folder he writes to. */
export function badNameReason(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name === '.' || name === '..') return 'is a step, not a name';
  if (name.includes('/')) return 'holds a slash';
  if (isDotGit(name)) return 'is that of a repository';
  if (name.split('\\').some((part) => part === '..' || isDotGit(part))) return 'leads elsewhere on Windows';
  return undefined;
}

/** `.git` in all that some file system takes for it: any case, with characters that do not show, with what NTFS cuts off, its short name. */
function isDotGit(name: string): boolean {
  const [plain = ''] = name.replaceAll(unseen, '').toLowerCase().split(':', 1);
  return ['.git', 'git~1'].includes(plain.replace(/[. ]+$/, ''));
}
