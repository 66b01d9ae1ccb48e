import { entriesOf } from './json.ts';
import type { KubeObject } from './manifest.ts';

/** What an object is labelled with, as far as it is text. */
export function labelsOf({ metadata }: KubeObject): Readonly<Record<string, string>> {
  return Object.fromEntries(entriesOf(metadata['labels']).flatMap(([label, value]) => (typeof value === 'string' ? [[label, value] as const] : [])));
}
