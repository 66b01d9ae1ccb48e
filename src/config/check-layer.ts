import type { core } from 'zod';
import { shownText } from '../model/index.ts';
import { isConfigKey, traitsOf } from './config-keys.ts';
import { fromFolder } from './from-folder.ts';
import { knownKeys } from './known-keys.ts';
import type { Layer } from './layer.ts';
import { nearestName } from './nearest-name.ts';
import { placeOf } from './origin.ts';
import { layerSchema, type LayerValues } from './settings-schema.ts';
import { shownPath } from './shown-path.ts';

const harmless = new Set(['type', 'provider', 'tls', 'port', 'perSecond']);

export interface CheckedLayer extends Layer {
  readonly values: LayerValues;
  readonly problems: readonly string[];
}

export function checkLayer(layer: Layer): CheckedLayer {
  const { success, data, error } = layerSchema.safeParse(layer.raw);
  if (success) return { ...layer, values: fromFolder(data as LayerValues, layer.folder), problems: [] };
  const problems = error.issues.flatMap((issue) => pathsOf(issue).map((path) => ({ line: lineOf(layer, path), text: describe(issue, path, layer) })));
  return { ...layer, values: {}, problems: problems.toSorted((one, other) => one.line - other.line).map(({ text }) => text) };
}

/** Keys that are not known are one issue of the mapping that they are in. */
function pathsOf(issue: core.$ZodIssue): (readonly PropertyKey[])[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
}

function lineOf(layer: Layer, path: readonly PropertyKey[]): number {
  const origin = layer.originOf(path);
  return origin.type === 'file' ? origin.line : 0;
}

function describe(issue: core.$ZodIssue, path: readonly PropertyKey[], layer: Layer): string {
  if (issue.code === 'unrecognized_keys') return describeUnknown(path, layer, knownKeys(issue.path, valueAt(issue.path, layer)));
  const got = issue.code === 'custom' ? issue.params?.['got'] : undefined;
  return `${placeOf(layer.originOf(path), shownPath(path))} wants ${issue.message}, got ${typeof got === 'string' ? got : describeGot(valueAt(path, layer), mayBeSecret(path) ? 'hidden' : 'shown')}`;
}

function valueAt(path: readonly PropertyKey[], { raw }: Layer): unknown {
  return path.reduce<unknown>((within, step) => (within as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step], raw);
}

/** In a destination nearly everything may be a URL or a token that someone wrote at the wrong place. */
function mayBeSecret(path: readonly PropertyKey[]): boolean {
  const key = String(path[0]);
  if (key === 'destinations') return !harmless.has(String(path.at(-1)));
  return isConfigKey(key) && traitsOf(key).secret !== undefined;
}

function describeUnknown(path: readonly PropertyKey[], layer: Layer, known: readonly string[]): string {
  const name = String(path.at(-1));
  // Something else than a name may be a value at the wrong place, and that a secret.
  if (!/^[\w.-]{1,64}$/.test(name)) return `${placeOf(layer.originOf(path), 'this')} is no name of a key`;
  // Who writes a secret where it does not belong is told of the file where it does.
  const nearest = known.find((key) => key === `${name}File`) ?? nearestName(name, known);
  return `${placeOf(layer.originOf(path), shownPath(path))} is not known${nearest === undefined ? '' : `: did you mean ${nearest}?`}`;
}

function describeGot(value: unknown, display: 'shown' | 'hidden'): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (display === 'hidden') return 'something else, not shown because it may be a secret';
  return typeof value === 'string' ? shownText(value) : `the ${typeof value} ${JSON.stringify(value)}`;
}
