import { expect, test } from 'vitest';
import { plainApplication, type Application, type Source } from '../../../src/model/index.ts';
import { createDesiredState } from '../../../src/reconcile/index.ts';
import { memoryTree } from '../../support/memory-tree.ts';

const { signal } = new AbortController();
const capabilities = (): Promise<{ kubeVersion: string; apiVersions: readonly string[] }> => Promise.resolve({ kubeVersion: 'v1', apiVersions: [] });

function source(repository: string, revision = 'main'): Source {
  return { repository, revision, path: 'web', ref: undefined, options: { directory: { recurse: true } } };
}

function lending(repository: string, ref: string): Source {
  return { ...source(repository), path: undefined, ref };
}

function application(...sources: readonly Source[]): Application {
  return plainApplication({ id: 'apps/shop', name: 'shop', destination: { namespace: 'shop-ns' }, sources });
}

const heads: Readonly<Record<string, string>> = { 'r main': 'c1', 'v main': 'c2' };

function scene(isBroken = false) {
  let held = 0;
  const asked: string[] = [];
  const rendered: unknown[] = [];
  const state = createDesiredState({
    references: {
      current(reference, lastSeen) {
        asked.push(`${reference.repository} ${reference.revision} ${String(lastSeen)}`);
        const commit = heads[`${reference.repository} ${reference.revision}`];
        return Promise.resolve(commit === undefined ? { commit: lastSeen ?? '', trouble: { since: 7, code: 'RepositoryUnreachable' as const, message: 'gone' } } : { commit });
      },
    },
    repository: (url) => ({
      pull(revision) {
        held += 1;
        return Promise.resolve({ commit: revision, tree: memoryTree({ 'web/a': `${url} ${revision}` }), [Symbol.dispose]: () => void (held -= 1) });
      },
    }),
    renderer: {
      renderAnew: (sources) => Promise.resolve({ documents: [], findings: [{ severity: 'warning', origin: sources.map(({ commit }) => commit).join(), message: 'anew' }] }),
      render(sources, { id, name, namespace }) {
        if (isBroken) return Promise.reject(new Error('broken chart'));
        rendered.push({ id, name, namespace, held, sources: sources.map(({ path, ref, commit }) => ({ path, ref, commit })) });
        return Promise.resolve({ documents: [], findings: [] });
      },
    },
  });
  return { state, asked, rendered, held: () => held };
}

test('all sources are opened at the commits that count and rendered together, and let go of', async () => {
  const { state, rendered, held } = scene();
  const desired = await state.at(application(lending('v', 'values'), source('r')), null, signal);
  expect(desired).toMatchObject({ commit: 'c1', trouble: undefined });
  await desired.documents(capabilities, signal);
  const sources = [{ path: undefined, ref: 'values', commit: 'c2' }, { path: 'web', ref: undefined, commit: 'c1' }];
  expect(rendered).toEqual([{ id: 'apps/shop', name: 'shop', namespace: 'shop-ns', held: 2, sources }]);
  expect(held()).toBe(0);
});

test('a source that is rendered stands for the commit, else the first', async () => {
  const { state } = scene();
  expect((await state.at(application(source('r'), source('v')), null, signal)).commit).toBe('c1');
  expect((await state.at(application(lending('v', 'a')), null, signal)).commit).toBe('c2');
});

test('what was seen last is for the main source only', async () => {
  const { state, asked } = scene();
  await state.at(application(lending('v', 'values'), source('r')), 'c0', signal);
  expect(asked).toEqual(['v main null', 'r main c0']);
});

test('a server that does not answer is told with the commit of before', async () => {
  const { state } = scene();
  expect(await state.at(application(source('away')), 'c0', signal)).toMatchObject({ commit: 'c0', trouble: { since: 7, code: 'RepositoryUnreachable' } });
});

test('the same application at the same commits is rendered once; another commit or another declaration of it, again', async () => {
  const { state, rendered } = scene();
  const shop = application(source('r'));
  const look = async (asked: Application): Promise<void> => void (await (await state.at(asked, null, signal)).documents(capabilities, signal));
  await look(shop);
  await look(shop);
  expect(rendered).toHaveLength(1);
  await look({ ...shop });
  expect(rendered).toHaveLength(2);
});

test('what asked about the cluster is asked again', async () => {
  let count = 0;
  const state = createDesiredState({
    references: { current: () => Promise.resolve({ commit: 'c1' }) },
    repository: () => ({ pull: (revision) => Promise.resolve({ commit: revision, tree: memoryTree({}), [Symbol.dispose]: () => undefined }) }),
    renderer: {
      renderAnew: () => Promise.reject(new Error('nobody asks for that')),
      async render(_sources, context) {
        count += 1;
        await context.capabilities?.();
        return { documents: [], findings: [] };
      },
    },
  });
  const shop = application(source('r'));
  for (let look = 0; look < 3; look += 1) await (await state.at(shop, null, signal)).documents(capabilities, signal);
  expect(count).toBe(3);
});

test('nothing is held on to after a failure', async () => {
  const { state, held } = scene(true);
  const { documents } = await state.at(application(source('r'), source('v')), null, signal);
  await expect(documents(capabilities, signal)).rejects.toThrow('broken chart');
  expect(held()).toBe(0);
});

test('rendered anew, nothing is taken from memory, and nothing that is remembered is another for it', async () => {
  const { state, rendered, held } = scene();
  const { documents, documentsAnew } = await state.at(application(source('r'), source('v')), null, signal);
  const before = await documents(capabilities, signal);
  expect(await documentsAnew(capabilities, signal)).toEqual({ documents: [], findings: [{ severity: 'warning', origin: 'c1,c2', message: 'anew' }] });
  expect(await documents(capabilities, signal)).toBe(before);
  expect([rendered.length, held()]).toEqual([1, 0]);
});

test('a repository that gives another commit than it was asked for is not believed', async () => {
  const state = createDesiredState({
    references: { current: () => Promise.resolve({ commit: 'c1' }) },
    repository: () => ({ pull: () => Promise.resolve({ commit: 'c2', tree: memoryTree({}), [Symbol.dispose]: () => undefined }) }),
    renderer: { render: () => Promise.resolve({ documents: [], findings: [] }), renderAnew: () => Promise.resolve({ documents: [], findings: [] }) },
  });
  const { documents } = await state.at(application(source('r')), null, signal);
  await expect(documents(capabilities, signal)).rejects.toThrow('r was asked for c1, and gave c2');
});
