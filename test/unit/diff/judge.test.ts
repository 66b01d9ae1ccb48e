import { describe, expect, test } from 'vitest';
import { agreedStateOf, compareObjects, hashWith, judge, missingObject, tagWith, type ComparedResource } from '../../../src/diff/index.ts';
import type { AgreedStates, Diff, KubeObject, Verdict } from '../../../src/model/index.ts';
import { configMap, liveOf, manifestOf } from './fixtures.ts';

const hash = hashWith('salt');
const tag = tagWith('test');
const { key, origin } = manifestOf(configMap({}));

function agreedOn(object: KubeObject): AgreedStates {
  return { [key]: agreedStateOf({ desired: object, live: object, hasStatus: false, schema: undefined }, hash) };
}

function forgotten(object: KubeObject): AgreedStates {
  return { [key]: { desired: hash(object), live: {} } };
}

function look(desired: KubeObject, live: KubeObject | undefined): ComparedResource {
  if (live === undefined) return { diff: missingObject(manifestOf(desired), tag), state: null };
  const sides = { live: liveOf(live), predicted: { ...live, ...desired }, hasStatus: false, schema: undefined, tag };
  return { diff: compareObjects(manifestOf(desired), sides), state: () => agreedStateOf({ desired, live, hasStatus: false, schema: undefined }, hash) };
}

function verdict(compared: readonly ComparedResource[], agreed: AgreedStates): Verdict {
  return judge({ commit: 'c', compared, findings: [] }, agreed).verdict;
}

const a1 = configMap({ a: '1' });
const a2 = configMap({ a: '2' });
const a3 = configMap({ a: '3' });

describe('the cause', () => {
  test.each<[string, KubeObject, KubeObject | undefined, AgreedStates, Verdict]>([
    ['equal is Synced', a1, a1, {}, { status: 'Synced' }],
    ['Git moved on', a2, a1, agreedOn(a1), { status: 'OutOfSync', cause: 'git-ahead' }],
    ['live was changed', a1, a2, agreedOn(a1), { status: 'OutOfSync', cause: 'live-changed' }],
    ['both moved, in the same field', a2, a3, agreedOn(a1), { status: 'OutOfSync', cause: 'both' }],
    ['live was deleted', a1, undefined, agreedOn(a1), { status: 'OutOfSync', cause: 'live-changed' }],
    ['never agreed and missing', a1, undefined, {}, { status: 'OutOfSync', cause: 'git-ahead' }],
    ['never agreed and different', a1, a2, {}, { status: 'OutOfSync', cause: 'git-ahead' }],
    ['Git moved on, and there was no room to record what was live', a2, a1, forgotten(a1), { status: 'OutOfSync', cause: 'git-ahead' }],
    ['live was changed, and there was no room to record what it was', a1, a2, forgotten(a1), { status: 'OutOfSync', cause: 'live-changed' }],
    ['Git moved on, and live has other changes that are not its business', a2, { ...a1, other: 'x' }, agreedOn(a1), { status: 'OutOfSync', cause: 'git-ahead' }],
  ])('%s', (_name, desired, live, agreed, expected) => {
    expect(verdict([look(desired, live)], agreed)).toEqual(expected);
  });
});

describe('many resources', () => {
  const unknown: ComparedResource = { diff: { type: 'unknown', key, origin, code: 'Forbidden', message: 'no' }, state: null };
  const invalid: ComparedResource = { diff: { type: 'invalid', key, origin, message: 'no such kind' }, state: null };
  const same: ComparedResource = { diff: { type: 'same', key, origin, foreign: [], ignored: [], sideEffects: [], adopted: true, warnings: [] }, state: null };
  const missing: ComparedResource = { diff: { type: 'missing', key, origin, patch: [], after: a1 } satisfies Diff, state: null };

  test.each<[string, readonly ComparedResource[], Verdict['status']]>([
    ['one that could not be compared makes it Unknown, never Synced', [same, unknown], 'Unknown'],
    ['a difference that was seen outweighs one that was not', [unknown, missing], 'OutOfSync'],
    ['what the cluster refuses is not in sync', [same, invalid], 'OutOfSync'],
    ['nothing declared is Synced', [], 'Synced'],
  ])('%s', (_name, compared, status) => {
    expect(verdict(compared, {}).status).toBe(status);
  });

  test('an unreadable file makes it Unknown even if all the rest agrees', () => {
    const findings = [{ severity: 'error' as const, origin: 'b.yaml#1', message: 'broken' }];
    expect(judge({ commit: 'c', compared: [same], findings }, {}).verdict).toEqual({ status: 'Unknown', code: 'InvalidManifest', message: 'b.yaml#1: broken' });
  });

  test('a warning does not', () => {
    const findings = [{ severity: 'warning' as const, origin: 'b.yaml#1', message: 'odd' }];
    expect(judge({ commit: 'c', compared: [same], findings }, {}).verdict.status).toBe('Synced');
  });
});
