import { fieldManager, isList, isObject, type FieldChange, type Json, type KubeObject, type Patch } from '../model/index.ts';
import { ownersOf } from './field-owners.ts';

/** What a patch changes, for people; `live` is the object with its managed fields, `before` the same as it may be shown. */
export function fieldChanges(patch: Patch, before: KubeObject, live: KubeObject): readonly FieldChange[] {
  return patch.map((operation) => {
    const keys = keysOf(operation.path);
    const { display, value } = follow(before, keys);
    const hasLive = value !== undefined && operation.op !== 'add';
    return {
      path: operation.path,
      display,
      ...(hasLive ? { live: value } : {}),
      ...(operation.op === 'remove' ? {} : { desired: operation.value }),
      owners: hasLive ? ownersOf(live, keys).filter(({ manager }) => manager !== fieldManager) : [],
    };
  });
}

function keysOf(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

interface Place {
  readonly display: string;
  readonly value: Json | undefined;
}

function follow(root: Json, keys: readonly string[]): Place {
  return keys.reduce<Place>(({ display, value }, key) => {
    if (isList(value)) {
      const item = value[Number(key)];
      const name = isObject(item) && typeof item['name'] === 'string' ? item['name'] : key;
      return { display: `${display}[${name}]`, value: item };
    }
    const child = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    return { display: display + segment(key, display), value: child };
  }, { display: '', value: root });
}

/** A key that holds dots or slashes would read like a path of its own. */
function segment(key: string, before: string): string {
  if (!/^[\w-]+$/.test(key)) return `[${JSON.stringify(key)}]`;
  return before === '' ? key : `.${key}`;
}
