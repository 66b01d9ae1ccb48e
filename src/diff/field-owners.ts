import { entriesOf, isList, isObject, type FieldOwner, type JsonObject, type KubeObject } from '../model/index.ts';
import { isSecret } from './mask.ts';

/** The readable part of what the server recorded; anything else names nobody. */
export function managedEntries(object: KubeObject): readonly { readonly owner: FieldOwner; readonly fields: JsonObject }[] {
  const entries = object.metadata['managedFields'];
  if (!isList(entries)) return [];
  return entries.filter(isObject).flatMap((entry) => {
    const owner = readOwner(entry);
    const fields = entry['fieldsV1'];
    return owner === undefined || !isObject(fields) ? [] : [{ owner, fields: isSecret(object) ? withStringData(fields) : fields }];
  });
}

/** Who wrote a key of a Secret as text is on record under that name for ever, though it is stored under the other. */
function withStringData(fields: JsonObject): JsonObject {
  const { 'f:stringData': texts, ...rest } = fields;
  if (texts === undefined) return fields;
  return { ...rest, 'f:data': Object.fromEntries([...entriesOf(rest['f:data']), ...entriesOf(texts)]) };
}

function readOwner({ manager, operation, subresource, time }: JsonObject): FieldOwner | undefined {
  if (typeof manager !== 'string' || typeof operation !== 'string') return undefined;
  return {
    manager,
    operation,
    ...(typeof subresource === 'string' && subresource !== '' ? { subresource } : {}),
    ...(typeof time === 'string' ? { time } : {}),
  };
}
