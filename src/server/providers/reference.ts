import { childOf, type Json } from '../../model/index.ts';

/** The full name of a reference, by the rules of git check-ref-format(1). */
export function isReference(name: Json | undefined): name is string {
  return typeof name === 'string' && name.length <= longest && /^refs\/[^/]/.test(name) && !forbidden.test(name);
}

const longest = 512;
const forbidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/u;

/** The commit that a reference moved to. All zeros stand for none: it was deleted. */
export function isCommit(id: Json | undefined): boolean {
  return typeof id === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(id) && !/^0+$/.test(id);
}

/** The one reference of a push that says `ref` and `after`, unless it was deleted. */
export function pushedReference(payload: Json): readonly string[] {
  const name = childOf(payload, 'ref');
  return isReference(name) && isCommit(childOf(payload, 'after')) ? [name] : [];
}

/** The full names that a name may stand for; a branch and a tag may share it. None where it can be no name. */
export function fullNames(name: string): readonly string[] {
  const names = name.startsWith('refs/') ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`];
  return names.every(isReference) ? names : [];
}
