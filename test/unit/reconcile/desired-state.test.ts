import { describe, expect, test } from 'vitest';
import type { Application, Source } from '../../../src/model/index.ts';
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
  return { name: 'shop', namespace: 'shop-ns', mode: 'alert', sources };
}

async function documentsOf(state: ReturnType<typeof createDesiredState>, app: Application, asked: typeof capabilities, asking: AbortSignal): Promise<object & { readonly commit: string }> {
  const desired = await state.at(app, asking);
  return { ...(await desired.documents(asked, asking)), commit: desired.commit };
}

interface Watched {
  readonly pulls: string[];
  readonly rendered: unknown[];
  readonly held: () => number;
  readonly state: ReturnType<typeof createDesiredState>;
  readonly heads: Map<string, string>;
  fail: 'pull' | 'render' | undefined;
  nowMs: number;
}

function watched(freshMs: number): Watched {
  let held = 0;
  const it: Watched = {
    pulls: [], rendered: [], heads: new Map(), fail: undefined, nowMs: 1000, held: () => held,
    state: createDesiredState({
      freshMs,
      now: () => new Date(it.nowMs),
      repository: (url) => ({
        async pull(revision) {
          it.pulls.push(`${url} ${revision}`);
          await Promise.resolve();
          if (it.fail === 'pull') throw new Error(`no ${url}`);
          held += 1;
          const commit = it.heads.get(`${url} ${revision}`) ?? revision;
          return { commit, tree: memoryTree({ 'web/a': commit }), [Symbol.dispose]: () => void (held -= 1) };
        },
      }),
      renderer: {
        render(sources, { name, namespace }) {
          if (it.fail === 'render') return Promise.reject(new Error('broken chart'));
          expect(held).toBeGreaterThan(0);
          it.rendered.push({ name, namespace, sources: sources.map(({ path, ref, options }) => ({ path, ref, options })) });
          return Promise.resolve({ documents: [], findings: [{ severity: 'warning' as const, origin: 'x', message: 'odd' }] });
        },
      },
    }),
  };
  it.heads.set('r main', 'c1').set('v main', 'c2').set('r dev', 'c3');
  return it;
}

test('all sources are opened at their commits and rendered together, and let go of', async () => {
  const it = watched(0);
  const desired = await documentsOf(it.state, application(lending('v', 'values'), source('r')), capabilities, signal);
  expect(desired).toEqual({ documents: [], findings: [{ severity: 'warning', origin: 'x', message: 'odd' }], commit: 'c1' });
  expect(it.rendered).toEqual([{ name: 'shop', namespace: 'shop-ns', sources: [{ path: undefined, ref: 'values', options: { directory: { recurse: true } } }, { path: 'web', ref: undefined, options: { directory: { recurse: true } } }] }]);
  expect(it.held()).toBe(0);
});

test('a source that is rendered stands for the commit, else the first', async () => {
  const it = watched(0);
  expect((await documentsOf(it.state, application(source('r'), source('v')), capabilities, signal)).commit).toBe('c1');
  expect((await documentsOf(it.state, application(lending('v', 'a')), capabilities, signal)).commit).toBe('c2');
});

describe('a reference', () => {
  test('is asked for once while its answer is fresh, and the commit is used meanwhile', async () => {
    const it = watched(10_000);
    const app = application(source('r'));
    await documentsOf(it.state, app, capabilities, signal);
    it.heads.set('r main', 'c9');
    it.nowMs += 9_999;
    expect((await documentsOf(it.state, app, capabilities, signal)).commit).toBe('c1');
    expect(it.pulls).toEqual(['r main', 'r c1', 'r c1']);
    it.nowMs += 1;
    expect((await documentsOf(it.state, app, capabilities, signal)).commit).toBe('c9');
    expect(it.pulls.filter((pull) => pull === 'r main')).toHaveLength(2);
  });

  test('is asked for once by any number of applications at the same time', async () => {
    const it = watched(10_000);
    await Promise.all(Array.from({ length: 20 }, (_, at) => documentsOf(it.state, { ...application(source('r')), name: `app-${at}` }, capabilities, signal)));
    expect(it.pulls.filter((pull) => pull === 'r main')).toHaveLength(1);
    expect(it.rendered).toHaveLength(20);
  });

  test('is another one in another repository or of another name', async () => {
    const it = watched(10_000);
    await documentsOf(it.state, application(source('r'), source('v'), source('r', 'dev')), capabilities, signal);
    expect(it.pulls.filter((pull) => /main|dev/.test(pull))).toEqual(['r main', 'v main', 'r dev']);
  });

  test('that could not be asked for is asked for again', async () => {
    const it = watched(10_000);
    it.fail = 'pull';
    await expect(documentsOf(it.state, application(source('r')), capabilities, signal)).rejects.toThrow('no r');
    it.fail = undefined;
    expect((await documentsOf(it.state, application(source('r')), capabilities, signal)).commit).toBe('c1');
  });

  test('is asked for again when the clock went back', async () => {
    const it = watched(10_000);
    await documentsOf(it.state, application(source('r')), capabilities, signal);
    it.nowMs = 0;
    await documentsOf(it.state, application(source('r')), capabilities, signal);
    expect(it.pulls.filter((pull) => pull === 'r main')).toHaveLength(2);
  });
});

test('nothing is held on to after a failure', async () => {
  const it = watched(0);
  it.fail = 'render';
  await expect(documentsOf(it.state, application(source('r'), source('v')), capabilities, signal)).rejects.toThrow('broken chart');
  expect(it.held()).toBe(0);
});
