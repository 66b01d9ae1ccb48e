import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkConfigFile, loadConfig, type ResolvedConfig } from '../../../src/config/index.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

const { signal } = new AbortController();
let folder: TempFolder;

beforeAll(async () => {
  folder = await tempFolder();
  await write('both/here/.setpoint.yaml', 'interval: 11s\n');
  await write('both/home/.config/setpoint/config.yaml', 'interval: 12s\nsweep: 1h\n');
  await write('xdg/setpoint/config.yaml', 'interval: 13s\nstate: data\n');
  await write('named.yaml', 'looksAtOnce: 3\n');
  await write('bad.yaml', 'intervall: 5m\nlooksAtOnce: 0\nrepo: /r\nfilename: x\n');
  await write('partial.yaml', 'path: apps/web\nmode: auto\n');
  await write('namespace', 'of-account\n');
});

afterAll(() => folder.remove());

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder.path, path)), { recursive: true });
  await writeFile(join(folder.path, path), text);
}

interface Where {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly named?: string;
}

function load({ cwd = '', env = {}, named }: Where): Promise<ResolvedConfig> {
  const at = Object.fromEntries(Object.entries(env).map(([name, path]) => [name, join(folder.path, path)]));
  const request = { flags: {}, env: { HOME: join(folder.path, 'nowhere'), ...at }, cwd: join(folder.path, cwd), renderOptionsOf: () => ({}) };
  return loadConfig({ ...request, named, accountFile: join(folder.path, 'namespace') }, signal);
}

test('no file is needed', async () => {
  const { config, files } = await load({});
  expect(files).toEqual([]);
  expect(config).toMatchObject({ intervalMs: 60_000, scope: { agentNamespace: 'of-account' } });
});

test('the file of this folder goes before that of the user', async () => {
  const { config, files } = await load({ cwd: 'both/here', env: { HOME: 'both/home' } });
  expect(files).toEqual(['.setpoint.yaml', join(folder.path, 'both/home/.config/setpoint/config.yaml')]);
  expect(config).toMatchObject({ intervalMs: 11_000, sweepMs: 3_600_000 });
});

test('XDG_CONFIG_HOME says where the user has it', async () => {
  const { config } = await load({ env: { HOME: 'both/home', XDG_CONFIG_HOME: 'xdg' } });
  expect(config).toMatchObject({ intervalMs: 13_000, sweepMs: 1_800_000, stateFolder: join(folder.path, 'xdg/setpoint/data') });
});

test.each<[string, Where]>([
  ['--config', { named: 'named.yaml' }],
  ['SETPOINT_CONFIG', { env: { SETPOINT_CONFIG: 'named.yaml' } }],
  ['--config before SETPOINT_CONFIG', { named: '../../named.yaml', cwd: 'both/here', env: { SETPOINT_CONFIG: 'bad.yaml' } }],
])('a file named by %s is the only one', async (_name, where) => {
  const { config, files } = await load({ ...where, env: { HOME: 'both/home', ...where.env } });
  expect(files).toHaveLength(1);
  expect(config).toMatchObject({ looksAtOnce: 3, intervalMs: 60_000 });
});

test('a file that is named and not there is refused', async () => {
  await expect(load({ named: 'no.yaml' })).rejects.toMatchObject({ code: 'Usage', message: 'the configuration no.yaml cannot be read: there is no such file or folder' });
  await expect(load({ named: '.' })).rejects.toMatchObject({ code: 'Usage', message: 'the configuration . cannot be read: it is a folder, and a file was expected' });
});

test('a file that is there and cannot be read is refused, not passed over', async () => {
  await write('odd/.setpoint.yaml/x', '');
  await expect(load({ cwd: 'odd' })).rejects.toMatchObject({ message: 'the configuration .setpoint.yaml cannot be read: it is a folder, and a file was expected' });
});

test('a file by itself: everything that is wrong with it', async () => {
  const check = (path: string): Promise<readonly string[]> => checkConfigFile({ path, cwd: folder.path }, signal);
  await expect(check('named.yaml')).resolves.toEqual([]);
  await expect(check('bad.yaml')).resolves.toEqual(['bad.yaml:1: intervall is not known: did you mean interval?', 'bad.yaml:2: looksAtOnce wants a whole number from 1 to 100, got the number 0']);
  await expect(check('no.yaml')).rejects.toThrow('no such file');
});

test('a file may leave it to a flag which applications are meant', async () => {
  await expect(checkConfigFile({ path: 'partial.yaml', cwd: folder.path }, signal)).resolves.toEqual([]);
});

test('what does not go together in a file is told', async () => {
  await write('conflict.yaml', 'repo: /r\nfilename: x\nlease: mine\n');
  const problems = await checkConfigFile({ path: 'conflict.yaml', cwd: folder.path }, signal);
  expect(problems).toEqual([expect.stringContaining('conflict.yaml:1: repo and conflict.yaml:2: filename exclude each other'), expect.stringContaining('conflict.yaml:3: lease has no effect')]);
});
