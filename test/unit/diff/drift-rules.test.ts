import { describe, expect, test } from 'vitest';
import { leftAsLive, parseDriftRules, type DriftRules } from '../../../src/diff/index.ts';
import { resourceKey, type DriftRule, type KubeObject } from '../../../src/model/index.ts';

const key = resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' });
const container = { name: 'app', image: 'a:1' };
const web = (spec: KubeObject['spec'] = {}): KubeObject => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec: { replicas: 1, containers: [container], ...(spec as object) } });

function rulesOf(...written: readonly DriftRule[]): DriftRules {
  const parsed = parseDriftRules(written);
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
    expect(parseDriftRules([image, { mode: 'Ignore', of: { kind: 'Deployment', jsonPointers: ['spec'] } }, { mode: 'Heal', of: { kind: 'X' } }])).toEqual({
      type: 'refused',
      errors: [expect.stringMatching(/^\[1\]\.jsonPointers\[0\]/) as string, expect.stringMatching(/^\[2\]: ignores nothing/) as string],
    });
  });

  test('has another hash when a mode is another', () => {
    expect(rulesOf(image).hash).not.toBe(rulesOf({ ...image, mode: 'Heal' }).hash);
  });
});

describe('what is left as it is live', () => {
  test.each<[string, readonly string[], KubeObject]>([
    ['a field', ['spec.replicas'], web({ replicas: 5 })],
    ['a field of an item by its name, wherever it is', ['spec.containers[name=app].image'], web({ containers: [{ ...container, image: 'a:2' }] })],
    ['nothing', [], web()],
    ['a field that live does not have', ['spec.containers[name=app].gone'], web()],
  ])('%s', (_name, names, expected) => {
    const live = web({ replicas: 5, containers: [{ name: 'sidecar', image: 's:1' }, { ...container, image: 'a:2' }] });
    expect(leftAsLive(web(), live, names)).toEqual(expected);
  });

  test('never what an object is', () => {
    expect(() => leftAsLive(web(), web(), ['metadata.name'])).toThrow('wanted a path to something that may differ');
  });
});
