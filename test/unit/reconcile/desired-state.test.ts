import { expect, test } from 'vitest';
import { createDesiredState } from '../../../src/reconcile/index.ts';

const signal = new AbortController().signal;

function desiredState(): { readonly rendered: string[]; readonly state: ReturnType<typeof createDesiredState> } {
  const rendered: string[] = [];
  const state = createDesiredState({
    freshMs: 0,
    now: () => new Date(0),
    source: {
      pull: (revision) => Promise.resolve(`commit-of-${revision}`),
      files: (commit, path, wanted) =>
        commit === 'broken'
          ? Promise.reject(new Error('broken'))
          : Promise.resolve({
              files: ['a.yaml', 'b.txt'].filter(wanted).map((name) => ({ path: `${path}/${name}`, content: Buffer.from(commit) })),
              findings: [{ severity: 'warning', origin: commit, message: 'odd file' }],
            }),
    },
    wants: (path) => path.endsWith('.yaml'),
    render: (files) => {
      rendered.push(...files.map(({ path, content }) => `${path}@${Buffer.from(content).toString()}`));
      return { documents: [], findings: [{ severity: 'warning', origin: 'render', message: 'odd document' }] };
    },
  });
  return { rendered, state };
}

test('only wanted files are rendered, and the findings of both steps are kept', async () => {
  const { rendered, state } = desiredState();
  expect(await state.pull('main', signal)).toBe('commit-of-main');
  expect((await state.documents('c1', 'web')).findings.map(({ message }) => message)).toEqual(['odd file', 'odd document']);
  expect(rendered).toEqual(['web/a.yaml@c1']);
});

test('the same commit and path are rendered once, others anew', async () => {
  const { rendered, state } = desiredState();
  for (const [commit, path] of [['c1', 'web'], ['c1', 'web'], ['c2', 'web'], ['c2', 'db'], ['c1', 'web']] as const) await state.documents(commit, path);
  expect(rendered).toEqual(['web/a.yaml@c1', 'web/a.yaml@c2', 'db/a.yaml@c2', 'web/a.yaml@c1']);
});

test('a failure is not kept', async () => {
  const { rendered, state } = desiredState();
  await state.documents('c1', 'web');
  await expect(state.documents('broken', 'web')).rejects.toThrow('broken');
  await expect(state.documents('broken', 'web')).rejects.toThrow('broken');
  await state.documents('c1', 'web');
  expect(rendered).toEqual(['web/a.yaml@c1']);
});
