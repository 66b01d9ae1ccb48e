import { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configProblems } from '../../../src/config/config-problems.ts';
import { runCli } from '../../../src/cli/run-cli.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;

beforeAll(async () => {
  folder = await tempFolder();
  await writeFile(join(folder.path, '.setpoint.yaml'), 'interval: 90s\nredis: rediss://:c4nary@h\nreceivers:\n  - { id: push, provider: github, secretFile: s }\n');
  await writeFile(join(folder.path, 'bad.yaml'), 'intervall: 5m\nredis: c4nary\n');
});

afterAll(() => folder.remove());

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function setpoint(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr'): EventEmitter => Object.assign(new EventEmitter(), { write: (text: string) => (printed[name] += text) });
  const child = Object.assign(new EventEmitter(), {
    ...{ argv: ['node', 'setpoint', ...args], env: { HOME: folder.path, ...env }, cwd: () => folder.path, exitCode: -1 },
    ...{ stdout: sink('stdout'), stderr: sink('stderr') },
  });
  await runCli(child as unknown as NodeJS.Process);
  return { code: child.exitCode, ...printed };
}

test('config view prints a configuration file without the secrets', async () => {
  const { code, stdout, stderr } = await setpoint(['config', 'view', '--namespaces', 'shop,search']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^# scope: cluster\n/);
  expect(parse(stdout)).toEqual({
    ...{ namespaces: ['shop', 'search'], agentNamespace: 'setpoint', lease: 'setpoint-agent', leaseDuration: '15s', interval: '90s', sweep: '30m', looksAtOnce: 8 },
    ...{ state: join(folder.path, '.local/state/setpoint'), redis: '***', listenHooks: '127.0.0.1:8080', listenOperations: '127.0.0.1:8081', renderer: 'wasm' },
    receivers: [{ id: 'push', provider: 'github', secretFiles: [join(folder.path, 's')] }],
    healthRules: [],
  });
});

test.each([[['--repo', '/r', '--set', 'a=b', '--values', 'x.yaml', '--skip-crds']], [['-f', 'apps.yaml']], [['--namespaces', 'shop']]])('what is printed for %j is a configuration again', async (args) => {
  const { stdout } = await setpoint(['config', 'view', '--origin', ...args]);
  expect(configProblems({ path: 'x', folder: folder.path, text: stdout.replace('"***"', 'redis://h') })).toEqual([]);
});

test('--origin says where each value comes from, and what could be said besides', async () => {
  const { stdout } = await setpoint(['config', 'view', '--origin', '--lease', 'mine'], { SETPOINT_SWEEP: '1h', POD_NAMESPACE: 'gitops' });
  for (const line of [
    'lease: mine  # flag --lease',
    'sweep: 1h  # SETPOINT_SWEEP',
    'interval: 90s  # .setpoint.yaml:1',
    'redis: "***"  # .setpoint.yaml:2',
    'receivers:  # .setpoint.yaml:3',
    'agentNamespace: gitops  # POD_NAMESPACE',
    'looksAtOnce: 8  # default',
    '# notifyWebhook:  # not set',
  ]) {
    expect(stdout.split('\n')).toContain(line);
  }
  expect(stdout).not.toContain('# path:');
  expect(stdout).not.toContain('c4nary');
});

test('-o json has values, and origins where they are asked for', async () => {
  const plain = await setpoint(['config', 'view', '-o', 'json', '--repo', 'https://u:c4nary@h/acme/fleet', '--set', 'password=c4nary']);
  expect(JSON.parse(plain.stdout)).toMatchObject({ apiVersion: 'setpoint.dev/v1', kind: 'Configuration', scope: 'single', values: { repo: 'https://***@h/acme/fleet', set: ['password=***'], redis: '***', interval: '90s' } });
  expect(JSON.parse(plain.stdout)).not.toHaveProperty('origins');
  expect(plain.stdout).not.toContain('c4nary');
  const { stdout } = await setpoint(['config', 'view', '-o', 'json', '--origin', '-f', 'apps.yaml']);
  expect(JSON.parse(stdout)).toMatchObject({ scope: 'files', values: { filename: 'apps.yaml' }, origins: { filename: 'flag --filename', interval: '.setpoint.yaml:1', sweep: 'default' } });
});

test('warnings are for people', async () => {
  const { code, stderr } = await setpoint(['config', 'view'], { SETPOINT_PATH: 'apps/web' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'setpoint: SETPOINT_PATH has no effect: it is for where one application is named with --repo\n' });
});

test.each([
  [['config', 'view', '--interval', 'soon'], '--interval wants a duration'],
  [['config', 'view', '--repo', '/r', '-f', 'x'], '--repo and --filename exclude each other'],
  [['config', 'view', '--config', 'bad.yaml'], 'bad.yaml:1: intervall is not known: did you mean interval?; bad.yaml:2: redis wants a redis:// or rediss:// URL'],
  [['config', 'view', '--config', 'none.yaml'], 'the configuration none.yaml cannot be read: there is no such file or folder'],
  [['config', 'view', '--config', ''], '--config <file> wants a value, got nothing'],
  [['config', 'check', ''], 'check wants <file>: the file; got nothing'],
  [['status', '-n', ''], '-n, --namespace <name> wants a value, got nothing'],
  [['sync', ''], 'sync wants <app>: an application: NAME or NAMESPACE/NAME; got nothing'],
  [['run', '--repo', '/r', '-f', 'x'], '--repo and --filename exclude each other'],
  [['run', '--path', 'apps/web'], '--path has no effect'],
  [['config', 'check', 'none.yaml'], 'the configuration none.yaml cannot be read: there is no such file or folder'],
])('%j ends with 2', async (args, message) => {
  const { code, stdout, stderr } = await setpoint(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('c4nary');
});

test('config check tells each problem on a line of its own, or that there is none', async () => {
  const bad = await setpoint(['config', 'check', 'bad.yaml']);
  expect(bad).toEqual({ code: 2, stdout: '', stderr: 'bad.yaml:1: intervall is not known: did you mean interval?\nbad.yaml:2: redis wants a redis:// or rediss:// URL, got something else, not shown because it may be a secret\n' });
  expect(await setpoint(['config', 'check', '.setpoint.yaml'])).toEqual({ code: 0, stdout: '.setpoint.yaml can be used\n', stderr: '' });
});
