import { isList, isObject, type Json } from '../model/index.ts';

export function keysOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function valueAtKeys(root: Json | undefined, keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((at, key) => {
    if (isList(at)) return at[Number(key)];
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
}
