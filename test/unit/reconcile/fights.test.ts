import { describe, expect, test } from 'vitest';
import { resourceKey, type Cause, type Correction, type DriftMode, type FieldChange, type JudgedResource, type Operation, type ResourceKey } from '../../../src/model/index.ts';
import { correctedBy, fightsOf, withCorrected } from '../../../src/reconcile/fights.ts';

const key = (name: string): ResourceKey => resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name });
const start = Date.parse('2026-03-02T12:00:00Z');
const at = (second: number): Date => new Date(start + second * 1000);

/** `a/x by k9s`: the field x of a, put back. */
function corrected(text: string): Omit<Correction, 'times'> {
  const [place = '', by] = text.split(' by ');
  const [name = '', path = ''] = place.split('/');
  return { key: key(name), path, ...(by !== undefined && { by }) };
}

/** At these seconds these were put back. */
function after(looks: readonly (readonly [number, ...string[]])[]): readonly Correction[] {
  return looks.reduce<readonly Correction[]>((known, [second, ...texts]) => withCorrected(known, texts.map(corrected), at(second)), []);
}

describe('a fight', () => {
  const thrice = [[0, 'a/x by k9s'], [20, 'a/x by k9s'], [30, 'a/x by k9s']] as const;
  test.each<[string, Parameters<typeof after>[0], number, readonly (readonly [string, string])[]]>([
    ['is three corrections of one place', thrice, 40, [['a', 'k9s']]],
    ['is not two', thrice.slice(1), 40, []],
    ['is not three places of one object', [[0, 'a/x'], [20, 'a/y'], [30, 'a/z']], 40, []],
    ['is not three objects', [[0, 'a/x'], [20, 'b/x'], [30, 'c/x']], 40, []],
    ['is also about an object that is deleted again and again', [[0, 'a'], [20, 'a'], [30, 'a']], 40, [['a', '']]],
    ['lasts for ten minutes after the last correction', thrice, 629, [['a', 'k9s']]],
    ['and no longer', thrice, 630, []],
    ['is not three corrections in a longer time', [[0, 'a/x'], [400, 'a/x'], [601, 'a/x']], 602, []],
    ['counts the last three', [[0, 'a/x'], [400, 'a/x'], [601, 'a/x'], [700, 'a/x']], 702, [['a', '']]],
    ['names each writer once', [[0, 'a/x by k9s, kubectl-edit'], [20, 'a/x by kubectl-edit'], [30, 'a/x by k9s']], 40, [['a', 'k9s, kubectl-edit']]],
  ])('%s', (_name, looks, second, expected) => {
    expect([...fightsOf(after(looks), at(second))]).toEqual(expected.map(([name, by]) => [key(name), by]));
  });

  test('is one, with however many objects at once', () => {
    const names = Array.from({ length: 500 }, (_, index) => `part-${index}/x`);
    expect(fightsOf(after([[0, ...names], [20, ...names], [30, ...names]]), at(40)).size).toBe(500);
  });
});

describe('what is on record', () => {
  test('is the very same while nothing is put back', () => {
    const known = after([[0, 'a/x']]);
    expect(withCorrected(known, [], at(10_000))).toBe(known);
  });

  test('is forgotten when nobody has put it back for ten minutes', () => {
    expect(after([[0, 'a/x'], [600, 'b/x']]).map((correction) => correction.key)).toEqual([key('b')]);
  });

  test('is bounded, and keeps those that are put back most often', () => {
    const many = Array.from({ length: 3000 }, (_, index) => `part-${index}/x`);
    const known = after([[0, 'a/x'], [10, 'a/x', ...many], [20, ...many]]);
    expect(known).toHaveLength(2000);
    expect(known.some((correction) => correction.key === key('a'))).toBe(true);
  });
});

describe('what counts as put back', () => {
  const change = (display: string, more: Partial<FieldChange> = {}): FieldChange => ({ display, path: `/${display}`, live: '1', desired: '2', owners: [{ manager: 'k9s', operation: 'Update' }], ...more });
  const judged = (cause: Cause, ...changes: readonly FieldChange[]): JudgedResource => ({ cause, diff: { type: 'changed', key: key('a'), origin: '', patch: [], changes, foreign: [], ignored: [], sideEffects: [], adopted: true, warnings: [] } as unknown as JudgedResource['diff'] });
  const missing: JudgedResource = { cause: 'live-changed', diff: { type: 'missing', key: key('a'), origin: '', patch: [] } as unknown as JudgedResource['diff'] };
  const paths = (resource: JudgedResource, { drift = 'Heal', type = 'heal', outcome = 'applied' }: { readonly drift?: DriftMode; readonly type?: Operation['type']; readonly outcome?: 'applied' | 'failed' } = {}): readonly string[] =>
    correctedBy({
      application: { policy: { deploy: 'automatic', drift, foreignFields: 'Report', prune: false } },
      operation: { type },
      resources: [resource],
      outcomes: [outcome === 'applied' ? { type: 'applied', key: key('a') } : { type: 'failed', key: key('a'), why: '', retry: 'later' }],
    }).map(({ path, by }) => `${path} by ${by ?? 'nobody'}`);

  test.each<[string, readonly string[], readonly string[]]>([
    ['each field that was changed live', paths(judged('live-changed', change('x'), change('y'))), ['x by k9s', 'y by k9s']],
    ['not what could not be written', paths(judged('live-changed', change('x')), { outcome: 'failed' }), []],
    ['not what Git said anew', paths(judged('git-ahead', change('x')), { type: 'deploy' }), []],
    ['what was changed live while Git went on', paths(judged('both', change('x')), { type: 'deploy' }), ['x by k9s']],
    ['not what a rule leaves', paths(judged('live-changed', change('x'), change('y', { drift: 'Alert' }))), ['x by k9s']],
    ['that too, where somebody asks for it', paths(judged('live-changed', change('y', { drift: 'Alert' })), { type: 'manual' }), ['y by k9s']],
    ['not what a controller holds', paths(judged('live-changed', change('x'), change('y', { standing: 'contested' }))), ['x by k9s']],
    ['an object that was deleted', paths(missing), [' by nobody']],
    ['not more than ten fields of one object', paths(judged('live-changed', ...Array.from({ length: 30 }, (_, index) => change(`f${index}`)))).slice(10), []],
  ])('%s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });
});
