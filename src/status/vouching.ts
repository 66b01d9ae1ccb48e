import { isList, parseJsonOrUndefined, valueAt } from '../model/index.ts';

/** Whose statuses an agent keeps, as it says with every renewal of its lease. */
export interface Vouching {
  /** Those that it looks after. */
  readonly namespaces: 'all' | readonly string[];
  /** Applications whose status is not what it should be, and could not be written. */
  readonly except: readonly string[];
}

// The lease is written every two seconds.
const mostExceptions = 200;

export function vouchingText({ namespaces, except }: Vouching): string {
  // So much cannot be written that nothing is worth being believed.
  return JSON.stringify(except.length > mostExceptions ? { namespaces: [], except: [] } : { namespaces, except });
}

/** Undefined where it cannot be read, or an agent of an earlier release says nothing. */
export function vouchingIn(text: string): Vouching | undefined {
  const said = parseJsonOrUndefined(text);
  const [namespaces, except] = [valueAt(said, ['namespaces']), valueAt(said, ['except'])];
  if ((namespaces !== 'all' && !isList(namespaces)) || !isList(except)) return undefined;
  return { namespaces: namespaces === 'all' ? 'all' : namespaces.filter((name) => typeof name === 'string'), except: except.filter((id) => typeof id === 'string') };
}

export function isVouchedFor({ namespaces, except }: Vouching, { id, namespace }: { readonly id: string; readonly namespace: string }): boolean {
  return (namespaces === 'all' || namespaces.includes(namespace)) && !except.includes(id);
}
