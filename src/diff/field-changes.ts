import { isList, isObject, type FieldChange, type Json, type KubeObject, type Patch } from '../model/index.ts';

export function fieldChanges(patch: Patch, before: KubeObject): readonly FieldChange[] {
  return patch.map((operation) => {
    const { display, value } = follow(before, operation.path);
    return {
      path: operation.path,
      display,
      ...(value === undefined || operation.op === 'add' ? {} : { live: value }),
      ...(operation.op === 'remove' ? {} : { desired: operation.value }),
    };
  });
}

interface Place {
  readonly display: string;
  readonly value: Json | undefined;
}

function follow(root: Json, pointer: string): Place {
  const keys = pointer.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
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
