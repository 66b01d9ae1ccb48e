import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseJson, type JsonObject } from '../../src/model/index.ts';
import { runCli, startCli, type CliResult } from '../support/cli.ts';
import { checkAgainst } from '../support/json-schema.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
const schema = parseJson(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'diff-report.schema.json'), 'utf8')) as JsonObject;

const configMap = (name: string, value: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name} }
data: { mode: ${JSON.stringify(value)} }
`;
const secret = (value: string): string => `
apiVersion: v1
kind: Secret
metadata: { name: keys }
stringData: { password: "${value}" }
`;
const both = (a: string, b: string): string => `${configMap('a', a)}---${configMap('b', b)}`;

interface Stage extends AsyncDisposable {
  readonly name: string;
  diff(manifests: string, args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<CliResult>;
}

/** The manifests applied by us to a namespace of their own, and a way to compare others with it. */
async function stage(live: string): Promise<Stage> {
  const namespace = await cluster.createNamespace();
  if (live !== '') await cluster.kubectl(['apply', '--server-side', '--field-manager', 'setpoint', '-n', namespace.name, '-f', '-'], live);
  return {
    name: namespace.name,
    diff: (manifests, args = [], env = {}) => runCli(['diff', '-f', '-', '-n', namespace.name, '--kubeconfig', cluster.kubeconfig, ...args], { input: manifests, env }),
    [Symbol.asyncDispose]: () => namespace[Symbol.asyncDispose](),
  };
}

describe('--resource', () => {
  test('compares only what is asked for', async () => {
    await using live = await stage(both('on', 'on'));
    const wanted = both('on', 'off');
    expect(await live.diff(wanted, ['--resource', 'ConfigMap/a'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 in sync /) as string });
    expect(await live.diff(wanted, ['--resource', `ConfigMap/${live.name}/*`, '--resource', '!*/b'])).toMatchObject({ code: 0 });
    expect(await live.diff(wanted, ['--resource', '/ConfigMap/b', '-o', 'name'])).toMatchObject({ code: 1, stdout: `/ConfigMap/${live.name}/b\n` });
  });

  test('what is not asked for is not even read', async () => {
    await using live = await stage(both('on', 'on'));
    const audit = await cluster.auditLog();
    await live.diff(both('on', 'off'), ['--resource', 'ConfigMap/a']);
    const names = (await audit.events()).filter(({ userAgent, objectRef }) => userAgent?.startsWith('setpoint') === true && objectRef?.namespace === live.name).map(({ objectRef }) => objectRef?.name);
    expect(new Set(names)).toEqual(new Set(['a']));
  });

  test.each([
    ['a name that is misspelt', 'ConfigMap/aa', 'setpoint: no manifest matches --resource ConfigMap/aa\n'],
    ['a pattern that is none', 'a', "setpoint: --resource a is not understood: it wants [group/]Kind[/namespace]/name, with * and ? as wildcards and a ! in front for 'not'\n"],
  ])('%s is an error that names it, never a success', async (_name, pattern, stderr) => {
    await using live = await stage(both('on', 'on'));
    expect(await live.diff(both('on', 'on'), ['--resource', 'ConfigMap/b', '--resource', pattern])).toEqual({ code: 2, stdout: '', stderr });
  });
});

describe('--exit-code=false', () => {
  test('makes 0 of drift, and of nothing else', async () => {
    await using live = await stage(configMap('a', 'on'));
    expect(await live.diff(configMap('a', 'off'), ['--exit-code=false'])).toMatchObject({ code: 0, stdout: expect.stringContaining('1 changed') as string });
    expect(await live.diff(configMap('a', 'off'), ['--exit-code=true'])).toMatchObject({ code: 1 });
    expect(await live.diff(configMap('a', 'off'), ['--exit-code'])).toMatchObject({ code: 1 });
    expect(await live.diff(`${configMap('a', 'off')}---\na: [\n`, ['--exit-code=false'])).toMatchObject({ code: 3 });
    expect(await live.diff('# nothing\n', ['--exit-code=false'])).toMatchObject({ code: 2 });
    expect(await live.diff(configMap('a', 'on'), ['--exit-code=maybe'])).toMatchObject({ code: 2, stderr: expect.stringContaining('It wants true or false.') as string });
  });
});

describe('formats', () => {
  test('table: who, and at or before when', async () => {
    await using live = await stage(both('on', 'on'));
    await cluster.kubectl(['patch', 'configmap', 'b', '-n', live.name, '--type=merge', '-p', '{"data":{"mode":"off"}}']);
    const { code, stdout } = await live.diff(both('on', 'on'), ['-o', 'table']);
    const [header, ...rows] = stdout.trimEnd().split('\n').map((line) => line.split(/ {2,}/));
    expect(header).toEqual(['RESOURCE', 'STATUS', 'FIELDS', 'BY', 'WHEN']);
    expect(rows).toEqual([
      [`ConfigMap ${live.name}/a`, 'in sync', '-', '-', '-'],
      [`ConfigMap ${live.name}/b`, 'changed', '1: data.mode', 'kubectl-patch', expect.stringMatching(/^at or before \S+Z$/)],
    ]);
    expect(code).toBe(1);
  });

  test('markdown: a comment with the text diff and who did it', async () => {
    await using live = await stage(configMap('a', 'on'));
    await cluster.kubectl(['patch', 'configmap', 'a', '-n', live.name, '--type=merge', '-p', '{"data":{"mode":"</code>@all"}}']);
    const { stdout } = await live.diff(configMap('a', 'on'), ['-o', 'markdown', '--context-lines', '0']);
    expect(stdout).toContain('### Setpoint: 1 of 1 resource differs\n');
    expect(stdout).toMatch(/```diff\n@@ -\d+,1 \+\d+,1 @@\n- {2}mode: <\/code>@all\n\+ {2}mode: "on"\n```\n/);
    expect(stdout).toMatch(/<td><code>data\.mode<\/code><\/td><td><code>by kubectl-patch, at or before \S+Z<\/code><\/td>/);
  });

  test('json and yaml are one document, as its schema says', async () => {
    await using live = await stage(both('on', 'on'));
    await cluster.kubectl(['label', 'configmap', 'b', 'touched=yes', '-n', live.name]);
    const manifests = `${both('off', 'on')}---${configMap('c', 'new')}---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n---\na: [\n`;
    const json = await live.diff(manifests, ['-o', 'json']);
    const yaml = await live.diff(manifests, ['-o', 'yaml']);
    expect(json.code).toBe(3);
    expect(checkAgainst(schema).errors(parseJson(json.stdout))).toEqual([]);
    expect(parse(yaml.stdout, { version: '1.1' })).toEqual(JSON.parse(json.stdout));
    expect(JSON.parse(json.stdout)).toMatchObject({ summary: { changed: 1, missing: 1, same: 1, invalid: 1 } });
  });

  test('--show-managers tells that we never applied it, and who holds what', async () => {
    await using live = await stage('');
    await cluster.kubectl(['apply', '--server-side', '-n', live.name, '-f', '-'], configMap('a', 'on'));
    for (const [format, mark] of [['tree', '@'], ['unified', '#']] as const) {
      const { stdout } = await live.diff(configMap('a', 'off'), ['-o', format, '--show-managers']);
      expect(stdout).toContain(`${mark} not applied by Setpoint yet\n`);
      expect(stdout).toMatch(/kubectl \(Apply\), at or before \S+Z\n/);
    }
  });

  test('nothing that the cluster holds steers the terminal', async () => {
    await using live = await stage(configMap('a', 'on'));
    const hostile = '\u001B[2J\u009B31m\u202Ex';
    await cluster.kubectl(['patch', 'configmap', 'a', '-n', live.name, '--type=merge', '--field-manager=evil', '-p', JSON.stringify({ data: { mode: hostile } })]);
    for (const format of ['tree', 'unified', 'table', 'json', 'yaml', 'jsonpatch', 'markdown', 'name']) {
      const { code, stdout, stderr } = await live.diff(configMap('a', 'on'), ['-o', format]);
      expect(code).toBe(1);
      expect(stdout + stderr).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\n\t]]/v);
    }
  });

  test('no format shows a Secret', async () => {
    await using live = await stage(secret('canary-live'));
    for (const format of ['tree', 'unified', 'table', 'json', 'yaml', 'jsonpatch', 'markdown', 'name']) {
      const { code, stdout, stderr } = await live.diff(secret('canary-git'), ['-o', format, '--show-managers', '--show-ignored']);
      expect(code).toBe(1);
      expect(stdout).toContain('keys');
      for (const value of ['canary-live', 'canary-git']) {
        expect(stdout + stderr).not.toContain(value);
        expect(stdout + stderr).not.toContain(Buffer.from(value).toString('base64'));
      }
    }
  });
});

describe('KUBECTL_EXTERNAL_DIFF', () => {
  /** A program that tells what it was given, and ends as it is told: `--end=2`, or never with `--hang`. */
  const script = `#!/usr/bin/env node
const { readdirSync, readFileSync, statSync } = require('node:fs');
const [live, merged, ...args] = process.argv.slice(2);
const mode = (path) => (statSync(path).mode & 0o777).toString(8);
const read = (folder) => Object.fromEntries(readdirSync(folder).map((name) => [name, { mode: mode(folder + '/' + name), text: readFileSync(folder + '/' + name, 'utf8') }]));
process.stdout.write(JSON.stringify({ live, merged, args, parent: mode(live + '/..'), LIVE: read(live), MERGED: read(merged) }) + '\\n');
if (args.includes('--hang')) setInterval(() => undefined, 1000);
else process.exitCode = Number(args.find((arg) => arg.startsWith('--end='))?.slice(6) ?? 1);
`;
  interface Seen {
    readonly live: string;
    readonly merged: string;
    readonly args: readonly string[];
    readonly parent: string;
    readonly LIVE: Readonly<Record<string, { readonly mode: string; readonly text: string }>>;
    readonly MERGED: Readonly<Record<string, { readonly mode: string; readonly text: string }>>;
  }

  async function tool(): Promise<{ readonly path: string; readonly folder: string } & AsyncDisposable> {
    const folder = await tempFolder();
    const path = join(folder.path, 'tool');
    await writeFile(path, script, { mode: 0o755 });
    return { path, folder: folder.path, [Symbol.asyncDispose]: () => folder.remove() };
  }

  test.each([
    ['without -o', []],
    ['with -o unified', ['-o', 'unified']],
  ])('%s it is shown two folders, which are gone afterwards', async (_name, args) => {
    await using live = await stage(both('on', 'on'));
    await using program = await tool();
    const env = { KUBECTL_EXTERNAL_DIFF: `${program.path} -N --color=always ;rm $HOME`, TMPDIR: program.folder };
    const { code, stdout, stderr } = await live.diff(`${both('off', 'on')}---${configMap('c', 'new')}---${secret('canary')}`, args, env);
    const seen = JSON.parse(stdout) as Seen;
    expect(seen).toMatchObject({ args: ['-N', '--color=always'], parent: '700', live: expect.stringMatching(/\/LIVE$/) as string, merged: expect.stringMatching(/\/MERGED$/) as string });
    const files = ['a', 'c'].map((name) => `v1.ConfigMap.${live.name}.${name}`).concat(`v1.Secret.${live.name}.keys`);
    expect(Object.keys(seen.LIVE)).toEqual(files);
    expect(Object.keys(seen.MERGED)).toEqual(files);
    expect(seen.LIVE[files[0] ?? '']).toEqual({ mode: '600', text: expect.stringContaining('mode: "on"') as string });
    expect(seen.MERGED[files[0] ?? '']?.text).toContain('mode: "off"');
    expect(seen.LIVE[files[1] ?? '']?.text).toBe('');
    expect(stdout).not.toContain('canary');
    expect(stdout).not.toContain(Buffer.from('canary').toString('base64'));
    expect(existsSync(join(seen.live, '..'))).toBe(false);
    expect(stderr).toContain('KUBECTL_EXTERNAL_DIFF: ;rm is not passed on');
    expect(stderr).toContain('1 changed, 2 missing, 1 in sync');
    expect(code).toBe(1);
  });

  test('the exit code is ours: the program may end with 0 or 1', async () => {
    await using live = await stage(configMap('a', 'on'));
    await using program = await tool();
    for (const end of [0, 1]) {
      expect(await live.diff(configMap('a', 'off'), [], { KUBECTL_EXTERNAL_DIFF: `${program.path} --end=${end}` })).toMatchObject({ code: 1 });
    }
    expect(await live.diff(configMap('a', 'on'), [], { KUBECTL_EXTERNAL_DIFF: program.path })).toMatchObject({ code: 0, stdout: '' });
  });

  test.each<[string, (path: string) => string, RegExp]>([
    ['that fails', (path) => `${path} --end=2`, /^setpoint: KUBECTL_EXTERNAL_DIFF: \S+ failed with exit code 2\n$/],
    ['that is not there', (path) => `${path}-not-there -u`, /^setpoint: KUBECTL_EXTERNAL_DIFF: \S+-not-there cannot be run: .*ENOENT\n$/],
  ])('a program %s is an error', async (_name, command, message) => {
    await using live = await stage(configMap('a', 'on'));
    await using program = await tool();
    const { code, stderr } = await live.diff(configMap('a', 'off'), [], { KUBECTL_EXTERNAL_DIFF: command(program.path) });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  test.each(['tree', 'json', 'markdown'])('-o %s is not its business', async (format) => {
    await using live = await stage(configMap('a', 'on'));
    const { code, stderr } = await live.diff(configMap('a', 'off'), ['-o', format], { KUBECTL_EXTERNAL_DIFF: '/not/there' });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s while it runs leaves nothing behind', async (signal, code) => {
    await using live = await stage(configMap('a', 'on'));
    await using program = await tool();
    const manifests = join(program.folder, 'a.yaml');
    await writeFile(manifests, configMap('a', 'off'));
    await using cli = startCli(['diff', '-f', manifests, '-n', live.name, '--kubeconfig', cluster.kubeconfig], { env: { KUBECTL_EXTERNAL_DIFF: `${program.path} --hang` } });
    const seen = JSON.parse(await cli.saw(/^\{.*\}\n/)) as Seen;
    expect(existsSync(seen.live)).toBe(true);
    expect(await cli.stop(signal)).toBe(code);
    await waitFor(() => (existsSync(join(seen.live, '..')) ? undefined : true), { what: 'the folder is gone', deadlineMs: 5000 });
  });
});
