import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { openContentCache } from '../../src/render/content-cache.ts';
import { isObject } from '../../src/model/index.ts';
import { createYamlReader, type YamlFile, type YamlReader, type YamlReaderOptions } from '../../src/render/parse/yaml-reader.ts';
import { parseYaml } from '../../src/render/yaml/parse-yaml.ts';
import { yamlInputs } from '../fixtures/yaml-inputs.ts';
import { busiestTurn } from './yaml-reader/busiest-turn.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const never = new AbortController().signal;
const readers: YamlReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
});

function create(options: YamlReaderOptions = {}): { readonly reader: YamlReader; readonly parsed: () => number } {
  let parsed = 0;
  const reader = createYamlReader({ ...options, on: { parsed: (files) => (parsed += files) } });
  readers.push(reader);
  return { reader, parsed: () => parsed };
}

function file(text: string | Uint8Array, path = 'file.yaml'): YamlFile {
  const content = Buffer.from(text);
  return { id: createHash('sha1').update(content).digest('hex'), path, content: () => Promise.resolve(content) };
}

const manifest = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n  key: "value of ${name}"\n`;
const honest = Array.from({ length: 40 }, (_, at) => manifest(`neighbour-${at}`));
const mebi = 1024 * 1024;
const fill = (text: string): string => text.repeat(Math.floor((4 * mebi - 1024) / text.length));

/** Of the kinds that cost most time, most memory, or most on the way back. */
const hostile: Readonly<Record<string, string>> = {
  'nesting without end': '['.repeat(4 * mebi - 1),
  'an alias bomb': `a: &a [x,x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 8 }, (_, at) => `${'bcdefghi'[at]}: &${'bcdefghi'[at]} [${`*${'abcdefgh'[at]},`.repeat(9)}*${'abcdefgh'[at]}]\n`).join('')}`,
  'one long text, nine thousand times': `a: &a "${'x'.repeat(32 * 1024)}"\nb: [${'*a,'.repeat(9_000)}*a]\n`,
  '1 MiB of line breaks': '\n'.repeat(mebi),
  'half a MiB of a flow list': `a: [${'a,'.repeat(mebi / 4)}]`,
  '40,000 keys': Array.from({ length: 40_000 }, (_, at) => `key${at}: v${at}`).join('\n'),
  '40,000 big integers': `a:\n${Array.from({ length: 40_000 }, (_, at) => `- 90071992547409${10_000 + at}`).join('\n')}`,
  '4 MiB of text': `a: |\n${fill('  text of a line\n')}`,
  'more than 4 MiB': 'a'.repeat(4 * mebi + 1),
};

/** Seconds of work, and hundreds of megabytes. */
const lineBreaks = '\n'.repeat(4 * mebi);
const manyKeys = Array.from({ length: 190_000 }, (_, at) => `key${at}: v${at}`).join('\n');

describe('the YAML reader', () => {
  it('reads every input of the table of what kubectl reads as parseYaml does, in threads and from the cache', async () => {
    await using folder = await tempFolder();
    const cache = await openContentCache({ folder: `${folder.path}/cache` });
    const contents = [...yamlInputs.map(({ text }) => Buffer.from(text)), Buffer.from([0xff, 0xfe, 0x00]), Buffer.alloc(0), Buffer.from(`${manifest('many')}---\n`.repeat(3_000))];
    const expected = contents.map((content) => ({ documents: parseYaml(content), bytes: content.length }));
    const files = contents.map((content) => file(content));
    const first = create({ cache });
    expect(await first.reader.read(files, never)).toStrictEqual(expected);
    expect(first.parsed()).toBeGreaterThan(370);
    const second = create({ cache });
    expect(await second.reader.read(files, never)).toStrictEqual(expected);
    const mayBeAnything = expected.filter(({ documents }) => documents.some(({ value }) => value !== null && !isObject(value)));
    expect(second.parsed()).toBe(mayBeAnything.length);
    await cache.close();
  });

  it('neither loads nor parses a file again after a restart', async () => {
    await using folder = await tempFolder();
    const files = [...honest.map((text) => file(text)), file('__proto__: {a: 9007199254740993}\nconstructor: 1\n'), file('broken: [')];
    const before = await openContentCache({ folder: `${folder.path}/cache` });
    const expected = await create({ cache: before }).reader.read(files, never);
    await before.close();
    const after = await openContentCache({ folder: `${folder.path}/cache` });
    const { reader, parsed } = create({ cache: after });
    const untouchable = files.map(({ id, path }) => ({ id, path, content: () => Promise.reject(new Error(`${path} was loaded`)) }));
    const results = await reader.read(untouchable, never);
    expect(results).toStrictEqual(expected);
    expect(parsed()).toBe(0);
    expect(Object.hasOwn(results[40]?.documents[0]?.value as object, '__proto__')).toBe(true);
    await after.close();
  });

  it('parses a file without an id each time', async () => {
    await using folder = await tempFolder();
    const cache = await openContentCache({ folder: `${folder.path}/cache` });
    const { reader, parsed } = create({ cache });
    const unnamed = { ...file('a: 1'), id: undefined };
    await reader.read([unnamed], never);
    await reader.read([unnamed], never);
    expect(parsed()).toBe(2);
    await cache.close();
  });

  it('loads no more files than it can read soon', async () => {
    const { reader, parsed } = create({ workers: 1 });
    let [loaded, most] = [0, 0];
    const content = Buffer.from(`a: |\n${'  some lines of text\n'.repeat(10_000)}`);
    const files = Array.from({ length: 40 }, () => ({
      id: undefined,
      path: 'a.yaml',
      content: () => {
        loaded += 1;
        most = Math.max(most, loaded - parsed());
        return Promise.resolve(content);
      },
    }));
    await reader.read(files, never);
    // Two batches of two files each, and what is just handed back.
    expect(most).toBeLessThanOrEqual(6);
    expect(parsed()).toBe(40);
  });

  it('fails with what a file could not be loaded for, and reads on afterwards', async () => {
    const { reader } = create();
    const broken: YamlFile = { id: undefined, path: 'gone.yaml', content: () => Promise.reject(new Error('gone')) };
    for (let round = 0; round < 20; round += 1) {
      await expect(reader.read([...honest.map((text) => file(text)), broken], never)).rejects.toThrow('gone');
    }
    expect(await reader.read([file('a: 1')], never)).toMatchObject([{ documents: [{ value: { a: 1 } }] }]);
  });

  it('leaves at once when it is told to, and reads on for others', async () => {
    const { reader } = create({ workers: 1, deadlineMs: 1_000 });
    const controller = new AbortController();
    const slow = reader.read([file(lineBreaks)], controller.signal);
    const queued = reader.read([file(fill(manifest('queued')).slice(0, mebi))], controller.signal);
    const other = reader.read(honest.map((text) => file(text)), never);
    setTimeout(() => controller.abort(new Error('not needed')), 50);
    await expect(slow).rejects.toThrow('not needed');
    await expect(queued).rejects.toThrow('not needed');
    expect(await other).toHaveLength(honest.length);
  });

  it('refuses to work once it is closed, and ends what was under way', async () => {
    const { reader } = create();
    // Its result tells that the thread runs.
    await reader.read([file(fill(manifest('first')).slice(0, 10_000))], never);
    const slow = reader.read([file(lineBreaks)], never);
    const failure = slow.catch(String);
    await waitFor(() => new Promise<boolean>((resolve) => setImmediate(() => resolve(true))), { what: 'a turn' });
    await reader.close();
    expect(await failure).toContain('the YAML reader is closed');
    await expect(reader.read([file(fill(manifest('late')).slice(0, 10_000))], never)).rejects.toThrow('the YAML reader is closed');
  });

  it('starts no thread for a few small files, and lets a process end that has idle ones', async () => {
    const source = new URL('../../src/render/parse/yaml-reader.ts', import.meta.url).href;
    const script = `
      const { createYamlReader } = await import(${JSON.stringify(source)});
      const reader = createYamlReader();
      const small = Array.from({ length: 10 }, (_, at) => ({ id: undefined, path: 'a', content: async () => Buffer.from('a: ' + at) }));
      const active = () => process.getActiveResourcesInfo().filter((name) => name.includes('Worker') || name.includes('MessagePort')).length;
      await reader.read(small, new AbortController().signal);
      const few = active();
      const many = await reader.read([{ id: undefined, path: 'b', content: async () => Buffer.from('a: b\\n# '.padEnd(100000)) }], new AbortController().signal);
      console.log(JSON.stringify({ few, many: many[0].documents[0].value }));`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number];
    expect({ code, output: JSON.parse(output) as unknown }).toEqual({ code: 0, output: { few: 0, many: { a: 'b' } } });
  });
});

describe('a hostile file', () => {
  it.each(Object.entries(hostile))('of %s keeps neither its neighbours nor the main thread', async (_name, text) => {
    const { reader } = create({ deadlineMs: 30_000 });
    await reader.read([file(fill(manifest('warm')).slice(0, 100_000))], never);
    const turn = busiestTurn();
    const results = await reader.read([...honest.slice(0, 20), text, ...honest.slice(20)].map((content) => file(content)), never);
    // What it would take here is seconds; a busy machine makes tens of milliseconds of what is cheap.
    expect(turn.stop()).toBeLessThan(250);
    expect(results.map(({ bytes }) => bytes)[20]).toBe(text.length);
    const neighbours = [...results.slice(0, 20), ...results.slice(21)].map(({ documents }) => documents);
    expect(neighbours).toEqual(honest.map((content) => parseYaml(content)));
  });

  it('that repeats a long text too often is refused, and its refusal kept', async () => {
    await using folder = await tempFolder();
    const cache = await openContentCache({ folder: `${folder.path}/cache` });
    const { reader, parsed } = create({ cache });
    const bomb = file(hostile['one long text, nine thousand times'] ?? '');
    for (let round = 0; round < 2; round += 1) {
      const [result] = await reader.read([bomb], never);
      expect(result?.documents).toMatchObject([{ value: null, findings: [{ severity: 'error', code: 'too-large' }] }]);
    }
    expect(parsed()).toBe(1);
    await cache.close();
  });

  it('that takes too long is refused, alone, and is not kept as refused', async () => {
    await using folder = await tempFolder();
    const cache = await openContentCache({ folder: `${folder.path}/cache` });
    const slow = lineBreaks;
    const impatient = create({ cache, deadlineMs: 300, workers: 1 });
    const files = [...honest, slow, fill('\n'), ...honest].map((content) => file(content));
    const results = await impatient.reader.read(files, never);
    expect(results[40]).toEqual({
      bytes: slow.length,
      documents: [{ index: 1, line: 1, value: null, findings: [{ severity: 'error', code: 'too-slow', line: 1, message: 'the file takes longer than 0.3 s to read' }] }],
    });
    expect(results[41]?.documents[0]?.findings[0]?.code).toBe('too-slow');
    expect(results.filter(({ documents }) => documents[0]?.findings.length === 0)).toHaveLength(80);
    const patient = create({ cache, deadlineMs: 300 });
    await patient.reader.read(files.slice(40, 41), never);
    expect(patient.parsed()).toBe(1);
    await cache.close();
  });

  it('that takes too much memory is refused, alone, and the process lives', async () => {
    const { reader } = create({ heapMb: 48, workers: 1, deadlineMs: 60_000 });
    const hungry = [lineBreaks, manyKeys].map((text) => file(text));
    const results = await reader.read([...honest.map((text) => file(text)), ...hungry, ...honest.map((text) => file(text))], never);
    for (const { documents } of results.slice(40, 42)) {
      expect(documents).toMatchObject([{ value: null, findings: [{ severity: 'error', code: 'too-much-memory', message: 'the file takes more than 48 MB of memory to read' }] }]);
    }
    expect(results.filter(({ documents }) => documents[0]?.findings.length === 0)).toHaveLength(80);
  });

  it('does not keep others waiting while there is a second thread', async () => {
    const { reader } = create({ workers: 2, deadlineMs: 60_000 });
    const controller = new AbortController();
    let ended = false;
    const slow = reader.read([file(lineBreaks)], controller.signal).finally(() => (ended = true));
    await waitFor(() => new Promise<boolean>((resolve) => setImmediate(() => resolve(true))), { what: 'a turn' });
    await reader.read([file(fill(manifest('other')).slice(0, 50_000))], never);
    expect(ended).toBe(false);
    controller.abort(new Error('seen enough'));
    await expect(slow).rejects.toThrow('seen enough');
  });
});
