import { describe, expect, test } from 'vitest';
import { advanceEpisodes, markCorrected } from '../../../src/alert/index.ts';
import { resourceKey, type Episode, type ResourceKey, type ResourceStatus } from '../../../src/model/index.ts';
import { fightsOf } from '../../../src/reconcile/fights.ts';

const key = (name: string): ResourceKey => resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name });
const start = Date.parse('2026-03-02T12:00:00Z');
const at = (second: number): string => new Date(start + second * 1000).toISOString();
const now = new Date(start + 600_000);

function episode(second: number | undefined, more: Partial<Episode> = {}): Episode {
  return { id: 'e', key: key('a'), cause: 'live-changed', openedAt: at(0), closedAt: at(1), fingerprint: '', fields: [], by: 'kubectl-edit', ...(second !== undefined && { correctedAt: at(second) }), ...more };
}

describe('a fight', () => {
  test.each<[string, readonly Episode[], readonly (readonly [string, string])[]]>([
    ['is three corrections', [episode(10), episode(20), episode(30)], [['a', 'kubectl-edit']]],
    ['is not two', [episode(10), episode(20)], []],
    ['is not what ended by itself', [episode(10), episode(20), episode(undefined)], []],
    ['is not what is ten minutes old', [episode(0), episode(20), episode(30)], []],
    ['is not a deployment', [episode(10), episode(20), episode(30, { cause: 'git-ahead' })], []],
    ['counts what Git changed besides', [episode(10), episode(20), episode(30, { cause: 'both' })], [['a', 'kubectl-edit']]],
    ['is not between resources', [episode(10), episode(20), episode(30, { key: key('b') })], []],
    ['is not about those that are not listed', [episode(10, { key: '*' }), episode(20, { key: '*' }), episode(30, { key: '*' })], []],
    ['names each writer once', [episode(10, { by: 'k9s, kubectl-edit' }), episode(20), episode(30, { by: 'k9s' })], [['a', 'k9s, kubectl-edit']]],
    ['may be with nobody on record', [10, 20, 30].map((second) => ({ ...episode(second), by: '' })), [['a', '']]],
    ['is also one episode that is corrected three times', [episode(30, { closedAt: null, corrections: [at(10), at(20), at(30)] })], [['a', 'kubectl-edit']]],
    ['is not one write that ended two episodes', [episode(10), episode(20), episode(20, { cause: 'both' })], []],
  ])('%s', (_name, episodes, expected) => {
    expect([...fightsOf(episodes, now)]).toEqual(expected.map(([name, by]) => [key(name), by]));
  });
});

describe('look by look', () => {
  const differing = (by: string): ResourceStatus & { readonly cause: 'live-changed' } => ({ key: key('a'), origin: 'a.yaml#1', type: 'changed', cause: 'live-changed', since: at(0), by });
  /** Each look sees somebody’s change, or none, and then corrects it, or not. */
  function after(looks: readonly { readonly by?: string; readonly corrects?: boolean }[]): ReadonlyMap<ResourceKey, string> {
    let episodes: readonly Episode[] = [];
    for (const [second, { by, corrects = false }] of looks.entries()) {
      episodes = advanceEpisodes({ name: 'shop', episodes, differing: by === undefined ? [] : [differing(by)], unknown: new Set(), now: at(second), newId: () => String(second) });
      if (corrects) episodes = markCorrected(episodes, new Set([key('a')]), at(second));
    }
    return fightsOf(episodes, new Date(start + 60_000));
  }
  const flip = { by: 'k9s', corrects: true };

  test.each<[string, Parameters<typeof after>[0], number]>([
    ['two who flip a field between two looks are one observation', [{ by: 'k9s, kubectl-edit', corrects: true }, {}, { by: 'k9s, kubectl-edit', corrects: true }, {}], 0],
    ['what is only seen again and again is none', [flip, { by: 'k9s' }, { by: 'k9s' }, { by: 'k9s' }], 0],
    ['three corrections with quiet between them', [flip, {}, flip, {}, flip, {}], 1],
    ['three corrections that nobody saw to hold', [flip, flip, flip], 1],
  ])('%s', (_name, looks, fights) => {
    expect(after(looks).size).toBe(fights);
  });
});
