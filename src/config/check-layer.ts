import { resolve } from 'node:path';
import type { core } from 'zod';
import { shownText } from '../model/index.ts';
import type { ReceiverConfig } from './agent-config.ts';
import { configKeyNames, isConfigKey, traitsOf } from './config-keys.ts';
import type { Layer } from './layer.ts';
import { nearestName } from './nearest-name.ts';
import { placeOf } from './origin.ts';
import { receiverKeys } from './receiver-schema.ts';
import { layerSchema, type LayerValues } from './settings-schema.ts';

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
  if (issue.code === 'unrecognized_keys') return describeUnknown(path, layer, path.length === 1 ? configKeyNames : receiverKeys);
  const key = String(path[0]);
  const got = issue.code === 'custom' ? issue.params?.['got'] : undefined;
  const secret = isConfigKey(key) && traitsOf(key).secret !== undefined;
  const value = path.reduce<unknown>((within, step) => (within as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step], layer.raw);
  return `${placeOf(layer.originOf(path), showPath(path))} wants ${issue.message}, got ${typeof got === 'string' ? got : describeGot(value, secret ? 'hidden' : 'shown')}`;
}

function describeUnknown(path: readonly PropertyKey[], layer: Layer, known: readonly string[]): string {
  const name = String(path.at(-1));
  // Something else than a name may be a value at the wrong place, and that a secret.
  if (!/^[\w.-]{1,64}$/.test(name)) return `${placeOf(layer.originOf(path), 'this')} is no name of a key`;
  const nearest = nearestName(name, known);
  return `${placeOf(layer.originOf(path), showPath(path))} is not known${nearest === undefined ? '' : `: did you mean ${nearest}?`}`;
}

/** `receivers[0].id` */
function showPath(path: readonly PropertyKey[]): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`)).join('');
}

function describeGot(value: unknown, display: 'shown' | 'hidden'): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (display === 'hidden') return 'something else, not shown because it may be a secret';
  return typeof value === 'string' ? shownText(value) : `the ${typeof value} ${JSON.stringify(value)}`;
}

/** What a file says about paths holds wherever the agent is started. */
function fromFolder(values: LayerValues, folder: string | undefined): LayerValues {
  if (folder === undefined) return values;
  const { repo, filename, state, gitCredentials, ignoreRules, kubeconfig, receivers } = values;
  const paths = Object.entries({ filename, state, gitCredentials, ignoreRules, kubeconfig }).filter(([, path]) => path !== undefined);
  return {
    ...values,
    ...Object.fromEntries(paths.map(([key, path = '']) => [key, resolve(folder, path)])),
    // Without the dot it may as well be the short form of SSH.
    ...(repo !== undefined && /^\.\.?(?:\/|$)/.test(repo) && { repo: resolve(folder, repo) }),
    ...(receivers !== undefined && { receivers: receivers.map((receiver): ReceiverConfig => ({ ...receiver, secretFiles: receiver.secretFiles.map((file) => resolve(folder, file)) })) }),
  };
}
