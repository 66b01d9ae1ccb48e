import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCanaries, filesBelow, type Canaries } from '../support/canaries.ts';
import { runCli, startCli, type CliResult, type RunningCli } from '../support/cli.ts';
import type { AuditLog } from '../support/cluster/audit-log.ts';
import { freePort } from '../support/free-port.ts';
import type { Repository } from '../support/git-repository.ts';
import { startGitServer } from '../support/git-server.ts';
import { startHttpSink, type HttpSink } from '../support/http-sink.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();

const base64 = (value: string): string => Buffer.from(value).toString('base64');
const secret = (name: string, body: object): string => JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...body });

/** Every way in which a Secret can differ or be wrong, by the name of its file. */
function manifests(canaries: Canaries): Readonly<Record<string, string>> {
  const git = (name: string, shape?: Parameters<Canaries['add']>[1]): string => canaries.add(`${name} in Git`, shape);
  return {
    keys: secret('keys', {
      metadata: { name: 'keys', annotations: { 'objectset.rio.cattle.io/applied': secret('keys', { data: { word: base64(git('copy')) } }) } },
      data: { word: base64(git('word')), lines: base64(git('lines', 'lines')) },
      stringData: { json: git('json', 'json'), signs: git('signs', 'signs'), ignored: git('ignored'), text: git('text', 'lines') },
    }),
    legacy: secret('legacy', { data: { word: base64(git('legacy')) }, stringData: { text: git('legacy text', 'lines') } }),
    frozen: secret('frozen', { immutable: true, stringData: { word: git('frozen') } }),
    typed: secret('typed', { type: 'kubernetes.io/basic-auth', stringData: { username: git('user'), password: git('password') } }),
    held: secret('held', { data: { word: base64(git('held')) } }),
    operated: secret('operated', { stringData: { word: git('operated') } }),
    listed: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [JSON.parse(secret('listed', { stringData: { word: git('listed') } }))] }),
    annotated: secret('annotated', {
      metadata: { name: 'annotated', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': secret('annotated', { stringData: { word: git('annotated') } }) } },
    }),
    incomplete: secret('incomplete', { type: 'kubernetes.io/tls', stringData: { 'tls.crt': git('certificate', 'lines') } }),
    'key-name': secret('key-name', { stringData: { 'not a key': git('key name') } }),
  };
}

/** Documents that are refused before anything is sent. */
function mistakes(canaries: Canaries): Readonly<Record<string, string>> {
  const git = (name: string, shape?: Parameters<Canaries['add']>[1]): string => canaries.add(`${name} in Git`, shape);
  return {
    'no-base64': secret('no-base64', { data: { word: `!${git('no base64')}!` } }),
    number: `apiVersion: v1\nkind: Secret\nmetadata: { name: number }\nstringData: { pin: ${git('number', 'digits')} }\n`,
    shape: secret('shape', { data: git('data itself') }),
    nested: secret('nested', { stringData: { a: { b: git('nested') } } }),
    'no-field': secret('no-field', { stringdata: { word: git('no such field') } }),
    'no-version': `apiVersion: v9\nkind: Secret\nmetadata: { name: no-version }\nstringData: { word: ${git('no such version')} }\n`,
    broken: `apiVersion: v1\nkind: Secret\nmetadata: { name: broken }\nstringData:\n  word: "${git('not closed')}\n  next: "${git('not closed either')}\n`,
    twice: `apiVersion: v1\nkind: Secret\nmetadata: { name: twice }\nstringData:\n  word: ${git('one')}\n  word: ${git('two')}\n`,
    tabbed: `apiVersion: v1\nkind: Secret\nmetadata: { name: tabbed }\nstringData:\n\tword: ${git('after a tab')}\n`,
    text: git('a document that is a string'),
  };
}

interface Scene extends AsyncDisposable {
  readonly namespace: string;
  readonly canaries: Canaries;
  readonly folder: string;
  readonly manifests: string;
  readonly rules: string;
  readonly audit: AuditLog;
  diff(...args: string[]): Promise<CliResult>;
  start(...args: string[]): RunningCli;
  /** A new value for a key of a Secret, by hand. */
  touch(name: string, key: string): Promise<void>;
  env(extra?: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
}

/** The manifests in a folder, and in the cluster the same Secrets with other values, owners and keys. */
async function stage(): Promise<Scene> {
  const parts = new AsyncDisposableStack();
  const { name: namespace } = parts.use(await cluster.createNamespace());
  const { path: folder } = parts.use(await tempFolder());
  const canaries = createCanaries();
  const live = (name: string, shape?: Parameters<Canaries['add']>[1]): string => canaries.add(`${name} in the cluster`, shape);
  const wanted = { ...manifests(canaries), ...mistakes(canaries) };
  const places = { manifests: join(folder, 'manifests'), temp: join(folder, 'temp'), home: join(folder, 'home') };
  for (const place of Object.values(places)) await mkdir(place);
  for (const [name, text] of Object.entries(wanted)) await writeFile(join(places.manifests, `${name}.yaml`), text);
  const rules = join(folder, 'rules.json');
  await writeFile(rules, JSON.stringify([{ kind: 'Secret', jsonPointers: ['/data/ignored'] }]));

  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl([...args, '-n', namespace], input);
  const apply = (manager: string, text: string): Promise<string> => kubectl(['apply', '--server-side', '--field-manager', manager, '-f', '-'], text);
  const patch = (name: string, body: object): Promise<string> => kubectl(['patch', 'secret', name, '--type=merge', '-p', JSON.stringify(body)]);
  await apply('setpoint', wanted['keys'] ?? '');
  await patch('keys', {
    metadata: { annotations: { 'kapp.k14s.io/original': secret('keys', { stringData: { word: live('copy by another tool') } }), 'objectset.rio.cattle.io/applied': live('copy', 'json') } },
    data: { word: base64(live('word')), lines: base64(live('lines', 'lines')) },
    stringData: { json: live('json', 'json'), signs: live('signs', 'signs'), ignored: live('ignored'), text: live('text', 'lines'), byhand: live('added by hand') },
  });
  await kubectl(['apply', '-f', '-'], secret('legacy', { data: { word: base64(live('legacy')) }, stringData: { text: live('legacy text', 'lines'), dropped: live('legacy dropped') } }));
  await apply('setpoint', secret('frozen', { immutable: true, stringData: { word: live('frozen') } }));
  await apply('setpoint', secret('typed', { stringData: { username: live('user'), password: live('password') } }));
  await apply('some-operator', secret('held', { data: { word: base64(live('held')) } }));
  await apply('some-operator', secret('operated', { stringData: { word: live('operated') } }));
  await apply('setpoint', secret('listed', { stringData: { word: live('listed') } }));
  await kubectl(['apply', '-f', '-'], secret('annotated', { stringData: { word: live('annotated') } }));

  const env: Scene['env'] = (extra = {}) => ({ XDG_CACHE_HOME: join(folder, 'cache'), TMPDIR: places.temp, HOME: places.home, ...extra });
  const common = ['-n', namespace, '--kubeconfig', cluster.kubeconfig, '--ignore-rules', rules];
  return {
    namespace,
    canaries,
    folder,
    manifests: places.manifests,
    rules,
    audit: await cluster.auditLog(),
    env,
    diff: (...args) => runCli(['diff', '-f', places.manifests, ...common, ...args], { env: env() }),
    start: (...args) => parts.use(startCli([...args, ...common], { env: env() })),
    async touch(name, key) {
      await patch(name, { stringData: { [key]: canaries.add(`${key} touched`) } });
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Nothing of a Secret is in what was printed or sent, nor in any file that we left; and none was tried on the server. Tells where it was looked for. */
async function expectNoTrace({ canaries, folder, manifests: source, audit, namespace }: Scene, told: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  // The manifests themselves: the folder that was given, and the clone of the repository, whose objects are its content.
  const isGiven = (path: string): boolean => path === source || (basename(path) === 'objects' && dirname(path).startsWith(join(folder, 'state', 'git')));
  const files = await filesBelow(folder, isGiven);
  const places = new Map([...Object.entries(told).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const), ...files]);
  for (const [place, text] of places) expect({ place, found: canaries.foundIn(text) }).toEqual({ place, found: [] });
  const ours = (await audit.events()).filter(({ userAgent, objectRef }) => userAgent?.startsWith('setpoint') === true && objectRef?.namespace === namespace);
  expect(ours.filter(({ objectRef }) => objectRef?.resource === 'secrets').length, 'Secrets were read').toBeGreaterThan(0);
  expect(ours.filter(({ objectRef, requestURI }) => objectRef?.resource === 'secrets' && requestURI.includes('dryRun'))).toEqual([]);
  return [...places.keys()];
}

const compared = ['keys', 'legacy', 'frozen', 'typed', 'held', 'operated', 'listed', 'incomplete', 'key-name'];
const refused = ['no-base64', 'number', 'shape', 'nested', 'no-field', 'no-version', 'broken', 'twice', 'tabbed', 'text'];

test('the search finds what it should: whole values and parts of them, in every form', () => {
  const canaries = createCanaries();
  const value = canaries.add('one', 'signs');
  canaries.add('other');
  const inside = base64(`{"data":"${value}"}`);
  const forms = [value, value.slice(3, 11), JSON.stringify(value), JSON.stringify({ a: JSON.stringify({ value }) }), encodeURIComponent(value), base64(value), base64(value).slice(5, 13), inside, base64(base64(value))];
  for (const form of forms) expect({ form, found: canaries.foundIn(`before ${form} after`).join('; ') }).toEqual({ form, found: expect.stringMatching(/^one, (?:(?!other).)*$/) as string });
  expect(canaries.foundIn(`nothing, ${value.slice(0, 7)} and ${value.slice(-7)}`)).toEqual([]);
});

describe('setpoint diff', () => {
  test('in each of the eight formats', async () => {
    await using scene = await stage();
    const told: Record<string, CliResult> = {};
    for (const format of ['tree', 'unified', 'table', 'json', 'yaml', 'jsonpatch', 'markdown', 'name']) {
      const result = await scene.diff('-o', format, '--show-managers', '--show-ignored');
      for (const name of [...compared, ...refused]) expect(result.stdout + result.stderr, `${name} in ${format}`).toContain(name);
      expect(result.code).toBe(3);
      told[format] = result;
    }
    await expectNoTrace(scene, told);
  });

  test('the tree still says all that can be said', async () => {
    await using scene = await stage();
    const { stdout } = await scene.diff('--show-ignored');
    expect(stdout).toMatch(/ {4}data\.word {2}by kubectl-patch, at or before \S+Z\n {6}- "\*\*\* \(before, [0-9a-f]{8}\)"\n {6}\+ "\*\*\* \(after, [0-9a-f]{8}\)"\n/);
    expect(stdout).toMatch(/ {4}data\.byhand {2}by kubectl-patch, at or before \S+Z\n {6}\* "\*\*\*"\n/);
    expect(stdout).toMatch(/ {4}~ ignored {2}data\.ignored {2}by kubectl-patch/);
    // Whether it was written as data or as text.
    expect(stdout.match(/ {4}data\.word {2}by some-operator, at or before \S+Z\n {6}! contested: some-operator holds this field/g)).toHaveLength(2);
    expect(stdout).toContain('sync would need to delete and create it: the Secret is marked immutable');
    expect(stdout).toContain('sync would need to delete and create it: the type of a Secret is immutable');
  });

  test('a program of one’s own that shows all that it is given', async () => {
    await using scene = await stage();
    const program = join(scene.folder, 'program');
    const script = `#!/usr/bin/env node
const { readdirSync, readFileSync } = require('node:fs');
for (const folder of process.argv.slice(2, 4)) for (const name of readdirSync(folder)) process.stdout.write(name + '\\n' + readFileSync(folder + '/' + name, 'utf8'));
`;
    await writeFile(program, script, { mode: 0o755 });
    const { code, stdout, stderr } = await runCli(['diff', '-f', scene.manifests, '-n', scene.namespace, '--kubeconfig', cluster.kubeconfig], {
      env: scene.env({ KUBECTL_EXTERNAL_DIFF: program }),
    });
    expect(stdout).toContain(`v1.Secret.${scene.namespace}.keys`);
    expect(code).toBe(3);
    await expectNoTrace(scene, { stdout, stderr });
  });

  test('--watch, while values are changed by hand', async () => {
    await using scene = await stage();
    const watches = ['tree', 'json', 'unified'].map((format) => scene.start('diff', '--watch', '-f', scene.manifests, '-o', format, '--show-managers', '--show-ignored'));
    await Promise.all(watches.map((watch) => watch.saw(/keys[^]*typed[^]*\n/)));
    const lengths = watches.map(({ output }) => output.stdout.length);
    await scene.touch('keys', 'word');
    await Promise.all(watches.map((watch, at) => watch.saw(/keys/, lengths[at])));
    await cluster.kubectl(['delete', 'secret', 'legacy', '-n', scene.namespace]);
    await Promise.all(watches.map((watch, at) => watch.saw(/legacy/, lengths[at])));
    expect(await Promise.all(watches.map((watch) => watch.stop('SIGINT')))).toEqual([130, 130, 130]);
    await expectNoTrace(scene, { outputs: watches.map(({ output }) => output) });
  });

  test('an error that ends it', async () => {
    await using scene = await stage();
    const nowhere = join(scene.folder, 'nowhere.json');
    const server = `https://127.0.0.1:${await freePort()}`;
    await writeFile(nowhere, JSON.stringify({ clusters: [{ name: 'c', cluster: { server } }], users: [{ name: 'u', user: {} }], contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }], 'current-context': 'c' }));
    const unreachable = await scene.diff('--kubeconfig', nowhere);
    const unmatched = await scene.diff('--resource', 'Secret/nope');
    expect([unreachable.code, unmatched.code]).toEqual([2, 2]);
    // Nothing was read here, so there is nothing in the audit log to look for.
    await scene.diff();
    await expectNoTrace(scene, { unreachable, unmatched });
  });

  test('rights that are wanting', async () => {
    await using scene = await stage();
    const reader = await cluster.restrictedUser(scene.namespace, [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]);
    const blind = await cluster.restrictedUser(scene.namespace, []);
    const told = [await scene.diff('--kubeconfig', reader, '-o', 'json'), await scene.diff('--kubeconfig', blind, '-o', 'json')];
    expect(told.map(({ code }) => code)).toEqual([3, 3]);
    await expectNoTrace(scene, { told });
  });
});

interface Watched {
  readonly repository: Repository;
  readonly sink: HttpSink;
  agent(...args: string[]): RunningCli;
}

/** The same manifests in a repository, and an agent that logs everything. */
async function stageAgent(scene: Scene, parts: AsyncDisposableStack): Promise<Watched> {
  const server = parts.use(await startGitServer());
  const sink = parts.use(await startHttpSink());
  const repository = await server.createRepository('fleet');
  const files = await filesBelow(scene.manifests);
  await repository.commit(Object.fromEntries(Array.from(files, ([path, text]) => [`web/${basename(path)}`, text.slice(text.indexOf('\n') + 1)])));
  const flags = ['--interval', '1s', '--log-level', 'debug', '--notify-webhook', sink.url, '--state', join(scene.folder, 'state')];
  return { repository, sink, agent: (...args) => scene.start('run', '--repo', repository.url, '--path', 'web', ...flags, ...args) };
}

describe('setpoint run', () => {
  test('mode alert: what is printed, logged, kept and posted', async () => {
    await using parts = new AsyncDisposableStack();
    const scene = parts.use(await stage());
    const { sink, agent: run } = await stageAgent(scene, parts);
    const agent = run();
    await agent.saw(/OutOfSync/);
    await sink.waitForRequests(1);
    const from = agent.output.stdout.length;
    await scene.touch('keys', 'word');
    await scene.touch('held', 'added');
    await agent.saw(/OutOfSync[^]*data\.word {2}by kubectl-patch at \S+Z/, from);
    await agent.saw(/data\.added {2}by kubectl-patch/, from);
    expect(await agent.stop()).toBe(0);
    expect(JSON.stringify(sink.requests)).toContain('keys');
    const places = await expectNoTrace(scene, { ...agent.output, requests: sink.requests });
    expect(places).toContain(join(scene.folder, 'state', 'apps', 'web.json'));
    expect(places.some((path) => path.startsWith(join(scene.folder, 'cache', 'setpoint', 'schemas')))).toBe(true);
  });

  test('mode auto: what is applied, healed, refused by the server and held back', async () => {
    await using parts = new AsyncDisposableStack();
    const scene = parts.use(await stage());
    const { repository, sink, agent: run } = await stageAgent(scene, parts);
    // Something that is tried on the server, for the comparison.
    await repository.commit({ 'web/env.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: env }\ndata: { mode: "on" }\n' });
    const agent = run('--mode', 'auto');
    await agent.saw(/held Secret .*: nothing is applied while /);
    await repository.commit(Object.fromEntries(refused.map((name) => [`web/${name}.yaml`, null])));
    await agent.saw(/applied Secret \S+\/keys\n/);
    for (const name of ['frozen', 'typed', 'incomplete', 'key-name']) await agent.saw(new RegExp(`(?:failed|held) Secret \\S+/${name}: `));
    await agent.saw(/held Secret \S+\/held: contested: /);
    await agent.saw(/held Secret \S+\/operated: contested: /);
    const heal = agent.output.stdout.length;
    await scene.touch('keys', 'word');
    await agent.saw(/data\.word {2}by kubectl-patch at \S+Z[^]*applied Secret \S+\/keys\n/, heal);
    await waitFor(() => sink.requests.length > 0, { what: 'an alert about what cannot be healed' });
    // With something besides: what was only changed back is not tried.
    await cluster.kubectl(['patch', 'configmap', 'env', '-n', scene.namespace, '--type=merge', '-p', '{"data":{"mode":"off","more":"on"}}']);
    await agent.saw(/applied ConfigMap \S+\/env\n/, heal);
    expect(await agent.stop()).toBe(0);
    await expectNoTrace(scene, { ...agent.output, requests: sink.requests });
    const events = (await scene.audit.events()).filter(({ userAgent, objectRef }) => userAgent?.startsWith('setpoint') === true && objectRef?.namespace === scene.namespace);
    const patches = events.filter(({ verb }) => verb === 'patch');
    expect(patches.some(({ objectRef, requestURI }) => objectRef?.resource === 'secrets' && !requestURI.includes('dryRun')), 'Secrets were applied').toBe(true);
    expect(patches.some(({ objectRef, requestURI }) => objectRef?.resource === 'configmaps' && requestURI.includes('dryRun=All')), 'ConfigMaps were tried').toBe(true);
  });
});
