import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitWorker } from '../../src/git/index.ts';
import type { GitFault } from '../support/git-server.ts';
import { gitScene, textsOf } from '../support/git-scene.ts';
import { waitFor } from '../support/wait-for.ts';

const { signal } = new AbortController();
const isListing = ({ method }: { readonly method: string }): boolean => method === 'GET';
const isPost = ({ method }: { readonly method: string }): boolean => method === 'POST';

const statuses: readonly [number, string][] = [
  [401, 'RepositoryUnauthorized'],
  [403, 'RepositoryUnauthorized'],
  [404, 'RepositoryNotFound'],
  [410, 'RepositoryNotFound'],
  [429, 'RepositoryUnreachable'],
  [500, 'RepositoryUnreachable'],
  [502, 'RepositoryUnreachable'],
  [503, 'RepositoryUnreachable'],
];

describe.each([['listing', isListing], ['asking', isPost]] as const)('while %s', (_name, matching) => {
  test.each(statuses)('an answer of %d is %s, what was there stays, and the next pull is fine', async (status, code) => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1' });
    const source = at.open();
    using before = await source.pull('main', signal);
    const second = await at.repository.commit({ 'a.yaml': '2' });
    at.server.failNext({ type: 'status', status, headers: { 'retry-after': '17' } }, matching);
    // A server that asks for patience is quoted.
    const message = expect.stringContaining(status === 429 ? '17' : '') as string;
    await expect(source.pull('main', signal)).rejects.toMatchObject({ code, message });
    expect(await textsOf(before.tree)).toEqual({ 'a.yaml': '1' });
    using after = await source.pull('main', signal);
    expect(after.commit).toBe(second);
  });
});

describe('a fetch that breaks', () => {
  const faults: readonly [string, GitFault][] = [
    ['cut early', { type: 'cut', afterBytes: 100 }],
    ['cut in the middle of the pack', { type: 'cut', afterBytes: 30_000 }],
    ['reset before any answer', { type: 'reset' }],
    ['refused', { type: 'status', status: 503 }],
  ];

  test.each(faults)('%s, the first time: an error, nothing kept, and the next pull is fine', async (_name, fault) => {
    await using at = await gitScene();
    const commit = await at.repository.commit({ 'a.yaml': randomBytes(50_000).toString('hex') });
    const source = at.open();
    // The listing is the first that is posted, the fetch the second.
    let posts = 0;
    at.server.failNext(fault, ({ method }) => method === 'POST' && (posts += 1) > 1);
    await expect(source.pull('main', signal)).rejects.toMatchObject({ code: expect.stringMatching(/^Repository(?:Unreachable|Invalid)$/) as string });
    const [copy = ''] = await readdir(at.folder);
    await waitFor(async () => !(await readdir(join(at.folder, copy))).some((name) => name.startsWith('generation-')), { what: 'what was begun to go' });
    using snapshot = await source.pull('main', signal);
    expect(snapshot.commit).toBe(commit);
  });

  test.each(faults)('%s, on top of a copy: the old commit stays readable, and the next pull is fine', async (_name, fault) => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1' });
    const source = at.open();
    using before = await source.pull('main', signal);
    const second = await at.repository.commit({ 'a.yaml': '2', 'b.yaml': randomBytes(50_000).toString('hex') });
    let posts = 0;
    at.server.failNext(fault, ({ method }) => method === 'POST' && (posts += 1) > 1);
    await expect(source.pull('main', signal)).rejects.toMatchObject({ code: expect.stringMatching(/^Repository(?:Unreachable|Invalid)$/) as string });
    expect(await textsOf(before.tree)).toEqual({ 'a.yaml': '1' });
    await source.close();
    const again = at.open();
    using after = await again.pull('main', signal);
    expect(after.commit).toBe(second);
    expect((await textsOf(after.tree))['a.yaml']).toBe('2');
    expect(at.events.filter((event) => event !== 'listed')).toEqual(['first', 'incremental']);
  });
});

test('a server that answers with a page is no repository', async () => {
  await using at = await gitScene();
  at.server.failNext({ type: 'status', status: 200 });
  await expect(at.open().pull('main', signal)).rejects.toMatchObject({ code: 'RepositoryInvalid' });
});

describe('a server that hangs', () => {
  test('is given up after the time without progress', async () => {
    await using at = await gitScene();
    const commit = await at.repository.commit({ 'a.yaml': '1' });
    const source = at.open('remote', { timeouts: { idleMs: 5000 } });
    at.server.failNext({ type: 'hang' }, isPost);
    await expect(source.pull('main', signal)).rejects.toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('no answer in time') as string });
    using snapshot = await at.open().pull('main', signal);
    expect(snapshot.commit).toBe(commit);
  });

  test('is left when the caller has had enough', async () => {
    await using at = await gitScene();
    const commit = await at.repository.commit({ 'a.yaml': '1' });
    const source = at.open();
    at.server.failNext({ type: 'hang' });
    const abort = new AbortController();
    const pull = source.pull('main', abort.signal);
    await waitFor(() => at.server.requests.length > 0, { what: 'the listing' });
    abort.abort();
    await expect(pull).rejects.toMatchObject({ name: 'AbortError' });
    using snapshot = await source.pull('main', signal);
    expect(snapshot.commit).toBe(commit);
  });

  test('does not hold up a repository on another server', async () => {
    await using slow = await gitScene();
    await using quick = await gitScene();
    await slow.repository.commit({ 'a.yaml': '1' });
    const commit = await quick.repository.commit({ 'a.yaml': '1' });
    const worker = createGitWorker();
    const abort = new AbortController();
    slow.server.failNext({ type: 'hang' });
    const hanging = slow.open('remote', { worker }).pull('main', abort.signal);
    using snapshot = await quick.open('remote', { worker }).pull('main', signal);
    expect(snapshot.commit).toBe(commit);
    abort.abort();
    await expect(hanging).rejects.toMatchObject({ name: 'AbortError' });
    await worker.close();
  });
});

test('a thread that was ended is replaced', async () => {
  await using at = await gitScene();
  await at.repository.commit({ 'a.yaml': '1' });
  const worker = createGitWorker();
  const source = at.open('remote', { worker });
  (await source.pull('main', signal))[Symbol.dispose]();
  await worker.close();
  const second = await at.repository.commit({ 'a.yaml': '2' });
  using snapshot = await source.pull('main', signal);
  expect(snapshot.commit).toBe(second);
  await worker.close();
});
