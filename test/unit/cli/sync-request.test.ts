import { expect, test } from 'vitest';
import { syncRequestFrom, type RequestFlags } from '../../../src/cli/sync-request.ts';
import { deployment } from './status-items.ts';

const commit = '4e9c917'.padEnd(40, 'a');
const status = { commit, history: [{ id: 1, at: '', revision: 'b'.repeat(40), cause: 'git-ahead', applied: 1, held: 0, failed: 0 }] } as const;
const request = (flags: Partial<RequestFlags>, resources?: readonly (typeof deployment)[]) => syncRequestFrom({ prune: false, approve: [], ...flags }, { id: 'r', by: 'ada', status, resources });

test('only what was asked for is in it', () => {
  expect(request({})).toEqual({ id: 'r', by: 'ada' });
  expect(request({ prune: true, revision: commit, approve: ['plan-0123456789abcdef', 'prune-0123456789abcdef'] }, [deployment])).toEqual({
    ...{ id: 'r', by: 'ada', prune: true, revision: commit },
    ...{ approve: ['plan-0123456789abcdef', 'prune-0123456789abcdef'], resources: [deployment] },
  });
});

test.each<[string, Partial<RequestFlags>, string]>([
  ['half a commit id that is known', { revision: '4e9c917' }, `--revision wants a whole commit id of 40 digits, got 4e9c917: did you mean ${commit}?`],
  ['half a commit id of the history', { revision: 'BBBBBBBB' }, `got BBBBBBBB: did you mean ${'b'.repeat(40)}?`],
  ['half a commit id that nobody knows', { revision: 'cccccccc' }, 'got cccccccc'],
  ['a branch', { revision: 'main' }, '--revision wants a whole commit id of 40 digits, got main'],
  ['no commit', { revision: '' }, 'got nothing'],
  ['a hash without its kind', { approve: ['0123456789abcdef'] }, '--approve wants what a plan or a hold names, such as plan-0123456789abcdef, got 0123456789abcdef'],
  ['an empty hash', { approve: ['plan-0123456789abcdef', ''] }, 'got nothing'],
])('%s is a mistake', (_name, flags, message) => {
  expect(() => request(flags)).toThrow(expect.objectContaining({ code: 'Usage', message: expect.stringContaining(message) as string }) as Error);
});
