import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, open as openFile, readdir, readFile, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStore } from '../../../src/render/content-cache-store.ts';
import { openContentCache, type ContentCache } from '../../../src/render/content-cache.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

let home: TempFolder;
let [folder, log] = ['', ''];
const problems: string[] = [];
const opened: ContentCache[] = [];

beforeEach(async () => {
  home = await tempFolder();
  folder = join(home.path, 'cache');
  log = join(folder, 'values.log');
  problems.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((cache) => cache.close()));
  await home.remove();
});

async function open(options: { readonly maxBytes?: number; readonly folder?: string } = {}): Promise<ContentCache> {
  const cache = await openContentCache({ folder, onProblem: (message) => problems.push(message), ...options });
  opened.push(cache);
  return cache;
}

/** Written, closed, and read by nobody. */
async function filled(values: Readonly<Record<string, string>>): Promise<void> {
  const cache = await open();
  for (const [key, text] of Object.entries(values)) cache.put(key, text);
  await cache.close();
}

const values: Readonly<Record<string, string>> = {
  empty: '',
  short: 'a: 1',
  'with spaces, ünïcode and \n': '{"ö": "😀\n"}',
  medium: 'kind: ConfigMap\n'.repeat(500),
  long: Array.from({ length: 100_000 }, (_, at) => `line ${at}`).join('\n'),
};

describe('a content cache', () => {
  it.each(Object.keys(values))('gives back what was put under %j, at once and after a restart', async (key) => {
    const text = values[key] ?? '';
    const cache = await open();
    cache.put(key, text);
    expect(await cache.get(key)).toBe(text);
    await cache.close();
    expect(await (await open()).get(key)).toBe(text);
    expect(problems).toEqual([]);
  });

  it('has nothing under another key', async () => {
    const cache = await open();
    cache.put('a', 'text');
    expect(await cache.get('b')).toBeUndefined();
    expect(await cache.get('__proto__')).toBeUndefined();
  });

  it('writes by itself, without being closed', async () => {
    const cache = await open();
    cache.put('a', 'text');
    expect(await waitFor(async () => (await readFile(log)).includes('text'), { what: 'the value in the file' })).toBe(true);
  });

  it('can be read by nobody else', async () => {
    await filled({ a: 'text' });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(log)).mode & 0o777).toBe(0o600);
  });

  it('takes access from others when the file had it', async () => {
    await filled({ a: 'text' });
    await chmod(log, 0o644);
    await open();
    expect((await stat(log)).mode & 0o777).toBe(0o600);
  });

  it('writes a key once', async () => {
    await filled({ a: 'text' });
    const { size } = await stat(log);
    await filled({ a: 'text' });
    expect((await stat(log)).size).toBe(size);
  });

  it('reads a mixture in any order while it is written', async () => {
    const cache = await open();
    const keys = Array.from({ length: 2_000 }, (_, at) => `key ${at}`);
    for (const key of keys) cache.put(key, `${key} `.repeat(100));
    const texts = await Promise.all(keys.toReversed().map((key) => cache.get(key)));
    expect(texts).toEqual(keys.toReversed().map((key) => `${key} `.repeat(100)));
    await cache.close();
    const again = await open();
    expect(await Promise.all(keys.toReversed().map((key) => again.get(key)))).toEqual(texts);
  });
});

describe('a file that is not as it was written', () => {
  it('loses nothing but its last record, wherever that is torn', async () => {
    await filled({ a: 'first', b: 'second' });
    const { size: before } = await stat(log);
    await filled({ c: 'third, and last' });
    const whole = await readFile(log);
    for (let length = before; length < whole.length; length += 1) {
      await writeFile(log, whole.subarray(0, length));
      const cache = await open();
      expect([await cache.get('a'), await cache.get('b'), await cache.get('c')]).toEqual(['first', 'second', undefined]);
      cache.put('d', 'after the tear');
      await cache.close();
      const again = await open();
      expect([await again.get('b'), await again.get('c'), await again.get('d')]).toEqual(['second', undefined, 'after the tear']);
      await again.close();
    }
  });

  it('never gives back a wrong value, whichever byte is changed', async () => {
    await filled({ a: 'first', b: 'kind: Secret\n'.repeat(300), c: 'third' });
    const whole = await readFile(log);
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      await writeFile(log, changed);
      const cache = await open();
      expect(['first', undefined]).toContain(await cache.get('a'));
      expect(['kind: Secret\n'.repeat(300), undefined]).toContain(await cache.get('b'));
      expect(['third', undefined]).toContain(await cache.get('c'));
      await cache.close();
    }
    expect(problems).toEqual([]);
  });

  it('takes a value anew that was found broken', async () => {
    await filled({ a: 'x'.repeat(100) });
    const whole = await readFile(log);
    whole.fill(0, whole.length - 10);
    await writeFile(log, whole);
    const cache = await open();
    expect(await cache.get('a')).toBeUndefined();
    cache.put('a', 'x'.repeat(100));
    await cache.close();
    expect(await (await open()).get('a')).toBe('x'.repeat(100));
  });

  it('passes over zeros that a power cut left at the end', async () => {
    await filled({ a: 'first' });
    await appendFile(log, Buffer.alloc(5_000));
    const cache = await open();
    cache.put('b', 'second');
    await cache.close();
    const again = await open();
    expect([await again.get('a'), await again.get('b')]).toEqual(['first', 'second']);
  });

  it.each([
    { what: 'an empty file', content: Buffer.alloc(0) },
    { what: 'garbage', content: Buffer.from('no cache at all, and longer than a head') },
    { what: 'another version', content: Buffer.from('setpoint-cache 9 and what it holds') },
    { what: 'half a head', content: Buffer.from('setpoint') },
  ])('is started anew for $what', async ({ content }) => {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(log, content);
    const cache = await open();
    cache.put('a', 'text');
    await cache.close();
    expect(await (await open()).get('a')).toBe('text');
    expect(problems).toEqual([]);
  });

  it('survives a process that is killed while it writes', async () => {
    const script = `
      const { openContentCache } = await import(${JSON.stringify(new URL('../../../src/render/content-cache.ts', import.meta.url).href)});
      const cache = await openContentCache({ folder: ${JSON.stringify(folder)} });
      process.stdout.write('open\\n');
      for (let at = 0; ; at += 1) {
        cache.put('key ' + at, 'value ' + at + ' '.repeat(at % 5000));
        if (at % 100 === 0) await new Promise(setImmediate);
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await waitFor(async () => (await stat(log)).size > 1_000_000, { what: 'a megabyte of cache' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const cache = await open();
    let found = 0;
    for (let text = await cache.get('key 0'); text !== undefined; text = await cache.get(`key ${found}`)) {
      expect(text).toBe(`value ${found}${' '.repeat(found % 5000)}`);
      found += 1;
    }
    expect(found).toBeGreaterThan(300);
    cache.put('after', 'the kill');
    await cache.close();
    expect(await (await open()).get('after')).toBe('the kill');
  });
});

describe('two with one folder', () => {
  it('are a writer and a reader', async () => {
    await filled({ a: 'first' });
    const writer = await open();
    const reader = await open();
    reader.put('b', 'lost');
    writer.put('c', 'kept');
    expect(await reader.get('a')).toBe('first');
    await reader.close();
    await writer.close();
    const again = await open();
    expect([await again.get('a'), await again.get('b'), await again.get('c')]).toEqual(['first', undefined, 'kept']);
    expect(problems).toEqual([]);
  });

  it('do not disturb each other when the file is written anew', async () => {
    const big = 'y'.repeat(1_000);
    await filled(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`key ${at}`, `${at}${big}`])));
    const writer = await open();
    const reader = await open();
    for (let at = 0; at < 200; at += 1) writer.replace(`key ${at}`, 'new');
    await waitFor(async () => ((await stat(log)).size < 20_000 ? true : undefined), { what: 'a shorter file' });
    expect(await reader.get('key 150')).toBe(`150${big}`);
    expect(await writer.get('key 150')).toBe('new');
  });

  it.each([
    { what: 'a process that is gone', lock: { host: hostname(), pid: 2 ** 22 - 1, started: 1 }, writes: true },
    { what: 'an earlier process with our id, as in a container', lock: { host: hostname(), pid: process.pid, started: 1 }, writes: true },
    { what: 'a process that lives', lock: { host: hostname(), pid: process.ppid, started: 1 }, writes: false },
    { what: 'another machine that was there a moment ago', lock: { host: 'elsewhere', pid: 1, started: 1 }, writes: false },
    { what: 'another machine that was there long ago', lock: { host: 'elsewhere', pid: 1, started: 1 }, ageMs: 61_000, writes: true },
    { what: 'nobody that can be told, long ago', lock: '', ageMs: 61_000, writes: true },
    { what: 'nobody that can be told, just now', lock: '', writes: false },
  ])('take a lock of $what: $writes', async ({ lock, ageMs = 0, writes }) => {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, 'lock'), lock === '' ? '' : JSON.stringify(lock));
    const then = new Date(Date.now() - ageMs);
    await utimes(join(folder, 'lock'), then, then);
    const cache = await open();
    cache.put('a', 'text');
    await cache.close();
    expect((await readdir(folder)).includes('values.log')).toBe(writes);
    expect((await readdir(folder)).includes('lock')).toBe(!writes);
  });
});

describe('a cache that is full or cannot be written', () => {
  it('drops the oldest values beyond its size', async () => {
    const cache = await open({ maxBytes: 100_000 });
    for (let at = 0; at < 300; at += 1) {
      cache.put(`key ${at}`, `${at} `.repeat(200));
    }
    await cache.close();
    expect((await stat(log)).size).toBeLessThanOrEqual(100_000);
    const again = await open();
    expect([await again.get('key 0'), await again.get('key 299')]).toEqual([undefined, '299 '.repeat(200)]);
  });

  it('has the newest of values that were replaced, also after a restart, and the file does not grow for ever', async () => {
    const cache = await open();
    for (let round = 0; round < 50; round += 1) {
      for (let at = 0; at < 20; at += 1) cache.replace(`key ${at}`, `${round} ${at} `.repeat(100));
      expect(await cache.get('key 3')).toBe(`${round} 3 `.repeat(100));
      await waitFor(async () => (await readFile(log)).length > 16 || undefined, { what: 'a file' });
    }
    await cache.close();
    expect((await stat(log)).size).toBeLessThan(200_000);
    const again = await open();
    expect([await again.get('key 0'), await again.get('key 19')]).toEqual(['49 0 '.repeat(100), '49 19 '.repeat(100)]);
  });

  it('says once that the disk is full, and forgets what it could not write', async () => {
    const handle = await openFile('/dev/full', 'r+');
    const options = { path: log, maxBytes: 1e9, isOwner: () => true };
    const store = createStore({ ...options, log: { handle, places: new Map(), end: 16 }, onProblem: (what, error) => problems.push(`${what}: ${String(error)}`) });
    for (const key of ['a', 'b', 'c']) store.put(key, 'text');
    expect(await store.get('a')).toBe('text');
    await waitFor(async () => (await store.get('a')) === undefined || undefined, { what: 'a value that is given up' });
    store.put('d', 'text');
    expect(await store.get('d')).toBeUndefined();
    await store.close();
    expect(problems).toEqual([expect.stringMatching(/is not written any more: .*ENOSPC/)]);
  });

  it.each([
    { what: 'everybody may write', prepare: () => mkdir(folder).then(() => chmod(folder, 0o777)), message: 'everybody may write' },
    { what: 'there is a file in its place', prepare: () => writeFile(folder, ''), message: 'EEXIST' },
  ])('is left alone when $what, with one problem', async ({ prepare, message }) => {
    await prepare();
    const cache = await open();
    cache.put('a', 'text');
    expect(await cache.get('a')).toBeUndefined();
    await cache.close();
    expect(problems).toEqual([expect.stringContaining(message)]);
  });

  it('has nothing any more when the file becomes shorter under it', async () => {
    await filled({ a: 'text' });
    const cache = await open();
    await truncate(log, 20);
    expect(await cache.get('a')).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it('follows no link', async () => {
    const target = join(home.path, 'target');
    await writeFile(target, 'of somebody else', { mode: 0o644 });
    await mkdir(folder, { mode: 0o700 });
    await symlink(target, log);
    const cache = await open();
    cache.put('a', 'text');
    await cache.close();
    expect(await readFile(target, 'utf8')).toBe('of somebody else');
    expect((await stat(target)).mode & 0o777).toBe(0o644);
    expect(problems).toEqual([expect.stringContaining('ELOOP')]);
  });

  it('reads on from a folder that takes no lock', async () => {
    await filled({ a: 'text' });
    await mkdir(join(folder, 'lock'));
    const cache = await open();
    cache.put('b', 'text');
    expect([await cache.get('a'), await cache.get('b')]).toEqual(['text', undefined]);
  });
});
