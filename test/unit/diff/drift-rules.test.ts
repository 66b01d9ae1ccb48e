import { describe, expect, test } from 'vitest';
import { leftAsLive, parseDriftRules, withModes, type DriftRules } from '../../../src/diff/index.ts';
import { resourceKey, type Diff, type DriftMode, type DriftRule, type FieldChange, type KubeObject } from '../../../src/model/index.ts';
import { list, map, struct, text } from './schema.ts';

const key = resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' });
const container = { name: 'app', image: 'a:1' };
const web = (spec: KubeObject['spec'] = {}): KubeObject => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec: { replicas: 1, containers: [container], ...(spec as object) } });

function rulesOf(...written: readonly DriftRule[]): DriftRules {
  return rulesBeside('Heal', ...written);
}

function rulesBeside(usual: DriftMode, ...written: readonly DriftRule[]): DriftRules {
  const parsed = parseDriftRules(written, usual);
  if (parsed.type === 'refused') throw new Error(parsed.errors.join('; '));
  return parsed.rules;
}

describe('what is done about a live change of a field', () => {
  const image: DriftRule = { mode: 'Alert', of: { kind: 'Deployment', paths: ['spec.containers[name=app].image'] } };
  const containers: DriftRule = { mode: 'Heal', of: { kind: 'Deployment', paths: ['spec.containers'] } };

  test.each<[string, readonly DriftRule[], string, string | undefined]>([
    ['is what the rule says', [image], '/spec/containers/0/image', 'Alert'],
    ['is what the first of two rules says', [image, containers], '/spec/containers/0/image', 'Alert'],
    ['is what the first of two rules says, whichever it is', [containers, image], '/spec/containers/0/image', 'Heal'],
    ['is what a rule about the whole says', [image, containers], '/spec/containers/0/name', 'Heal'],
    ['is not said by a rule about other fields', [image], '/spec/replicas', undefined],
    ['is not said by a rule about other objects', [{ mode: 'Ignore', of: { kind: 'StatefulSet', jsonPointers: ['/spec/replicas'] } }], '/spec/replicas', undefined],
  ])('%s', (_name, rules, pointer, mode) => {
    expect(rulesOf(...rules).modeAt(key, pointer, web())).toBe(mode);
  });

  test('is not guessed where a rule cannot be read', () => {
    expect(parseDriftRules([image, { mode: 'Ignore', of: { kind: 'Deployment', jsonPointers: ['spec'] } }, { mode: 'Heal', of: { kind: 'X' } }], 'Heal')).toEqual({
      type: 'refused',
      errors: [expect.stringMatching(/^\[1\]\.jsonPointers\[0\]/) as string, expect.stringMatching(/^\[2\]: ignores nothing/) as string],
    });
  });

  test('has another hash when a mode is another', () => {
    expect(rulesOf(image).hash).not.toBe(rulesOf({ ...image, mode: 'Heal' }).hash);
  });
});

/** Containers are told apart by their names; what they are started with, and the selector, the server replaces whole. */
const { schema } = struct({
  apiVersion: text,
  kind: text,
  metadata: struct({ name: text, namespace: text }),
  spec: struct({ replicas: text, selector: map(text, true), labels: map(text), containers: list('map', struct({ name: text, image: text, args: list('atomic', text) }), 'name') }),
});

describe('what is left as it is live', () => {
  test.each<[string, readonly string[], KubeObject]>([
    ['a field', ['spec.replicas'], web({ replicas: 5 })],
    ['a field of an item by its name, wherever it is', ['spec.containers[name=app].image'], web({ containers: [{ ...container, image: 'a:2' }] })],
    ['nothing', [], web()],
    ['a field that live does not have', ['spec.containers[name=app].gone'], web()],
  ])('%s', (_name, names, expected) => {
    const live = web({ replicas: 5, containers: [{ name: 'sidecar', image: 's:1' }, { ...container, image: 'a:2' }] });
    expect(leftAsLive(web(), live, { names, schema })).toEqual(expected);
  });

  const started = (...args: readonly string[]): KubeObject['spec'] => ({ containers: [{ ...container, args }] });

  test.each<[string, KubeObject['spec'], KubeObject['spec'], readonly string[], KubeObject['spec']]>([
    ['a list of which an item was added in the middle', started('a', 'b'), started('a', 'x', 'b'), ['spec.containers[name=app].args[1]'], started('a', 'x', 'b')],
    ['a list of which one item is another', started('a', 'b'), started('x', 'y'), ['spec.containers[name=app].args[1]'], started('x', 'y')],
    ['a list of which an item is gone', started('a', 'b'), started('b'), ['spec.containers[name=app].args[0]'], started('b')],
    ['a map to which a key was added', { selector: { app: 'web' } }, { selector: { app: 'web', slot: 'blue' } }, ['spec.selector.slot'], { selector: { app: 'web', slot: 'blue' } }],
    ['a map of which one value is another', { selector: { app: 'web', a: '1' } }, { selector: { app: 'x', a: '2' } }, ['spec.selector.app'], { selector: { app: 'x', a: '2' } }],
  ])('whole, where the server replaces it whole: %s', (_name, git, live, names, expected) => {
    expect(leftAsLive(web(git), web(live), { names, schema })).toEqual(web(expected));
  });

  test('a field that Git has no more and an apply would take away', () => {
    const live = web({ labels: { a: '1', b: '2' } });
    expect(leftAsLive(web({ labels: { a: 'git' } }), live, { names: ['spec.labels.b'], schema })).toEqual(web({ labels: { a: 'git', b: '2' } }));
  });

  test('a list whole, where no schema says what tells its items apart', () => {
    const names = ['spec.containers[name=app].args[1]'];
    expect(leftAsLive(web(started('a', 'b')), web(started('a', 'x', 'b')), { names, schema: undefined })).toEqual(web(started('a', 'x', 'b')));
  });

  test('never what an object is', () => {
    expect(() => leftAsLive(web(), web(), { names: ['metadata.name'], schema })).toThrow('wanted a path to something that may differ');
  });
});

describe('changes in a value that the server replaces whole', () => {
  const changes = (...paths: readonly string[]): Diff => {
    const object = web({ selector: { a: '1', b: '2' } });
    const changed = paths.map((path): FieldChange => ({ path, display: path, live: '1', desired: '2', owners: [] }));
    return { type: 'changed', key, origin: 'a.yaml#1', patch: [], changes: changed, before: object, after: object, foreign: [], ignored: [], sideEffects: [], adopted: true, warnings: [] };
  };
  const of = (mode: DriftMode, pointer: string): DriftRule => ({ mode, of: { kind: 'Deployment', jsonPointers: [pointer] } });
  const both = ['/spec/selector/a', '/spec/selector/b'] as const;

  test.each<[string, DriftRules, readonly string[], readonly (DriftMode | undefined)[]]>([
    ['are told where one of them is not to be put back', rulesBeside('Heal', of('Ignore', both[0])), both, ['Alert', 'Alert']],
    ['are told where only one of them is to be put back', rulesBeside('Alert', of('Heal', both[0])), both, ['Alert', 'Alert']],
    ['are put back where all of them are', rulesBeside('Alert', of('Heal', '/spec/selector')), both, ['Heal', 'Heal']],
    ['are put back where a rule says what is done anyway', rulesBeside('Heal', of('Heal', both[0])), both, ['Heal', undefined]],
    ['do not matter to what is beside it', rulesBeside('Heal', of('Ignore', both[0])), [both[0], '/spec/replicas'], ['Ignore', undefined]],
    ['do not matter to each other where they are written one by one', rulesBeside('Heal', of('Ignore', '/spec/labels/a')), ['/spec/labels/a', '/spec/labels/b'], ['Ignore', undefined]],
  ])('%s', (_name, rules, paths, modes) => {
    const diff = withModes(changes(...paths), { live: web({ selector: { a: '1', b: '2' }, labels: { a: '1', b: '2' } }), rules, schema });
    expect(diff.type === 'changed' && diff.changes.map(({ drift }) => drift)).toEqual(modes);
  });
});
