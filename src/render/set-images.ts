import { isObject, SetpointError, type Json, type JsonObject } from '../model/index.ts';

/** The `images` of a kustomization after `kustomize edit set image` with each of `wanted`: `name=new:tag@digest`, parts left out. */
export function setImages(present: readonly Json[], wanted: readonly string[]): readonly Json[] {
  const before = firstByName(present);
  const set = wanted.map(parseImage).map((image): [string, JsonObject] => [image.name, entryOf(image, before.get(image.name) ?? {})]);
  const images = new Map([...before, ...set]);
  return [...images.keys()].toSorted().map((name) => images.get(name) ?? {});
}

/** Of items with one name, `kustomize edit` keeps the first. */
export function firstByName(items: readonly Json[]): ReadonlyMap<string, JsonObject> {
  const named = items.filter(isObject).map(({ name, ...rest }): [string, JsonObject] => (typeof name === 'string' ? [name, { name, ...rest }] : ['', { ...rest }]));
  return new Map(named.toReversed());
}

interface ImageChange {
  readonly name: string;
  readonly newName: string;
  readonly newTag: string;
  readonly digest: string;
}

// `*` keeps what the kustomization says.
const kept = '*';

function entryOf({ name, newName, newTag, digest }: ImageChange, before: JsonObject): JsonObject {
  const part = (field: string, value: string): JsonObject => {
    const chosen = value === kept ? (before[field] ?? '') : value;
    return chosen === '' ? {} : { [field]: chosen };
  };
  return { name, ...part('newName', newName), ...part('newTag', newTag), ...part('digest', digest) };
}

function parseImage(text: string): ImageChange {
  const equals = text.indexOf('=');
  const key = equals === -1 ? '' : text.slice(0, equals);
  const { name, ...parts } = splitImage(text.slice(equals + 1));
  if (name === text || key + name === '') {
    throw new SetpointError('RenderFailed', `image ${text}: NAME:TAG, NAME@DIGEST or NAME=NEW[:TAG][@DIGEST] is wanted`);
  }
  return key === '' ? { name, newName: '', ...parts } : { name: key, newName: name, ...parts };
}

/** A colon before the first slash belongs to the host's port. */
function splitImage(text: string): { readonly name: string; readonly newTag: string; readonly digest: string } {
  const host = Math.max(text.indexOf('/'), 0);
  const at = text.indexOf('@', host);
  const beforeDigest = at === -1 ? text : text.slice(0, at);
  const colon = beforeDigest.indexOf(':', host);
  const nameEnd = colon === -1 ? beforeDigest.length : colon;
  return { name: text.slice(0, nameEnd), newTag: beforeDigest.slice(nameEnd + 1), digest: at === -1 ? '' : text.slice(at + 1) };
}
