import { describe, expect, test } from 'vitest';
import { advanceEpisodes, markCorrected } from '../../../src/alert/index.ts';
import { resourceKey, type Cause, type Episode, type ResourceKey, type ResourceStatus } from '../../../src/model/index.ts';

type Differing = ResourceStatus & { readonly cause: Cause };

const keyOf = (name: string): ResourceKey => resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name });

function differing(name: string, cause: Cause = 'live-changed', path = '/data/a', by = 'kubectl-edit'): Differing {
  return { key: keyOf(name), origin: 'a.yaml#1', type: 'changed', cause, since: 't', changes: [{ path, display: path.slice(1).replaceAll('/', '.'), owners: [] }], by };
}

interface Moment {
  readonly differing?: readonly Differing[];
  readonly unknown?: readonly string[];
}

/** Lives through the moments one after the other. */
function live(...moments: readonly Moment[]): readonly Episode[] {
  let count = 0;
  return moments.reduce<readonly Episode[]>(
    (episodes, { differing: now = [], unknown = [] }, at) =>
      advanceEpisodes({ name: 'app', episodes, differing: now, unknown: new Set(unknown.map(keyOf)), now: `t${at}`, newId: () => `e${(count += 1)}` }),
    [],
  );
}

const shown = (episodes: readonly Episode[]): readonly string[] => episodes.map(({ id, key, cause, openedAt, closedAt }) => `${id} ${key.split('/').at(-1)} ${cause} ${openedAt}-${closedAt ?? ''}`);

test.each<[string, readonly Moment[], readonly string[]]>([
  ['nothing while nothing differs', [{}, {}], []],
  ['one for as long as a resource differs', [{ differing: [differing('a')] }, { differing: [differing('a')] }], ['e1 a live-changed t0-']],
  ['closed at the next sight of none', [{ differing: [differing('a')] }, {}], ['e1 a live-changed t0-t1']],
  ['one for each resource', [{ differing: [differing('a'), differing('b')] }, { differing: [differing('b')] }], ['e2 b live-changed t0-', 'e1 a live-changed t0-t1']],
  ['another one when it differs again', [{ differing: [differing('a')] }, {}, { differing: [differing('a')] }], ['e2 a live-changed t2-', 'e1 a live-changed t0-t1']],
  ['another one for another cause', [{ differing: [differing('a', 'git-ahead')] }, { differing: [differing('a', 'both')] }], ['e2 a both t1-', 'e1 a git-ahead t0-t1']],
  ['open while nobody knows', [{ differing: [differing('a')] }, { unknown: ['a'] }, { differing: [differing('a')] }], ['e1 a live-changed t0-']],
])('%s', (_name, moments, expected) => {
  expect(shown(live(...moments))).toEqual(expected);
});

describe('an episode', () => {
  test('keeps its id and gets another fingerprint when other fields differ, and not when values do', () => {
    const [first] = live({ differing: [differing('a')] });
    const [second] = live({ differing: [differing('a')] }, { differing: [differing('a', 'live-changed', '/data/b')] });
    const [same] = live({ differing: [differing('a')] }, { differing: [differing('a')] });
    expect(second).toMatchObject({ id: 'e1', fields: ['data.b'] });
    expect(second?.fingerprint).not.toBe(first?.fingerprint);
    expect(same?.fingerprint).toBe(first?.fingerprint);
  });

  test('remembers who did it when the next look no longer knows', () => {
    const { by: _by, ...anonymous } = differing('a');
    expect(live({ differing: [differing('a')] }, { differing: [anonymous] })).toMatchObject([{ by: 'kubectl-edit' }]);
  });

  test('says that something was done about it', () => {
    const episodes = live({ differing: [differing('a'), differing('b')] });
    expect(markCorrected(episodes, new Set([keyOf('a')]), 't9').map(({ correctedAt }) => correctedAt)).toEqual(['t9', undefined]);
  });
});

test('a thousand resources that drift are a hundred episodes and one for the rest, which ends when they fit', () => {
  const many = Array.from({ length: 1000 }, (_, at) => differing(`c${at}`));
  const open = live({ differing: many });
  expect(open).toHaveLength(101);
  expect(open.at(-1)).toMatchObject({ key: '*', fields: ['900 more resources'], closedAt: null });
  const after = live({ differing: many }, { differing: many.slice(0, 100) });
  expect(after.filter(({ closedAt }) => closedAt === null)).toHaveLength(100);
  expect(after.find(({ key }) => key === '*')).toMatchObject({ closedAt: 't1' });
});

test('of deploys that have ended the last three are kept, and drift is not pushed out by them', () => {
  const deploys = Array.from({ length: 20 }, (_, at): Moment => (at % 2 === 0 ? { differing: [differing('a', 'git-ahead'), differing('b', 'git-ahead')] } : {}));
  const episodes = live({ differing: [differing('c')] }, {}, ...deploys);
  expect(episodes.map(({ cause }) => cause)).toEqual(['git-ahead', 'git-ahead', 'git-ahead', 'live-changed']);
});

test('what a sync puts back at once is kept until it can be told, and no longer', () => {
  const many = Array.from({ length: 150 }, (_, at) => differing(`c${at}`));
  const at = (now: string, { differing: some = [], before = [] }: { readonly differing?: readonly Differing[]; readonly before?: readonly Episode[] }): readonly Episode[] =>
    advanceEpisodes({ name: 'app', episodes: before, differing: some, unknown: new Set(), now, newId: () => 'e' });
  const drifted = at('2026-01-01T00:00:00Z', { differing: many.slice(0, 60) });
  const healed = at('2026-01-01T00:00:01Z', { before: drifted });
  expect(at('2026-01-01T00:59:00Z', { before: healed })).toHaveLength(60);
  expect(at('2026-01-01T01:01:00Z', { before: healed })).toHaveLength(20);
  const again = at('2026-01-01T00:00:02Z', { differing: many.slice(60), before: healed });
  expect(at('2026-01-01T00:00:03Z', { before: again })).toHaveLength(100);
});

test('of what has ended the last twenty are kept', () => {
  const flapping = Array.from({ length: 100 }, (_, at): Moment => (at % 2 === 0 ? { differing: [differing('a')] } : {}));
  expect(live(...flapping)).toHaveLength(20);
  expect(shown(live(...flapping))[0]).toBe('e50 a live-changed t98-t99');
});
