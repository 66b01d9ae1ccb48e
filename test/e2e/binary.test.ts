import { execFile, spawn } from 'node:child_process';
import { chmod, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const cluster = sharedCluster();
const root = join(import.meta.dirname, '..', '..');
const parts = new AsyncDisposableStack();
let [folder, cache] = ['', ''];

beforeAll(async () => {
  [folder, cache] = [parts.use(await tempFolder()).path, parts.use(await tempFolder()).path];
  await promisify(execFile)(process.execPath, [join(root, 'release', 'binary.ts'), join(folder, 'setpoint')]);
  return () => parts.disposeAsync();
}, 600_000);

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where there is no Node, no npm and no package. */
async function run(args: readonly string[], { name = 'setpoint', home = cache } = {}): Promise<Ran> {
  const child = spawn(join(folder, name), args, { cwd: folder, env: { PATH: folder, HOME: home, XDG_CACHE_HOME: home, TMPDIR: home, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, stdout: output.join(''), stderr: errors.join('') };
}

test('the single file tells its version, and unpacks itself once though several are started at once', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const said = await Promise.all([run(['--version']), run(['--version']), run(['--version'])]);
  expect(said).toEqual(Array.from({ length: 3 }, () => ({ code: 0, stdout: `${version}\n`, stderr: '' })));
  expect(await readdir(join(cache, 'setpoint', 'program'))).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
});

test('it compares files and a chart, which it renders with the engine that it carries', async () => {
  await using namespace = await cluster.createNamespace();
  const at = ['-n', namespace.name, '--kubeconfig', cluster.kubeconfig];
  const file = join(folder, 'env.yaml');
  await writeFile(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: env }\ndata: { mode: "on" }\n');
  await cluster.kubectl(['apply', '--server-side', '-n', namespace.name, '-f', file]);
  expect(await run(['diff', '-f', file, ...at])).toMatchObject({ code: 0, stdout: expect.stringContaining('1 in sync') as string });
  const chart = await run(['diff', '-f', join(root, 'examples', 'helm'), ...at]);
  expect(chart.stdout).toMatch(/\d+ missing/);
  expect(chart.code).toBe(1);
});

test('a link to it by the name that kubectl looks for completes words', async () => {
  await symlink('setpoint', join(folder, 'kubectl_complete-setpoint'));
  expect(await run(['di'], { name: 'kubectl_complete-setpoint' })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^diff\t.*\n:4\n$/) as string });
});

test('where it cannot unpack itself, or others could have changed what it unpacked, it says so and runs nothing', async () => {
  expect(await run(['--version'], { home: '/dev/null' })).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^setpoint: this program cannot be unpacked: .*\/dev\/null/) as string });
  await using other = await tempFolder();
  await run(['--version'], { home: other.path });
  const [id = ''] = await readdir(join(other.path, 'setpoint', 'program'));
  await chmod(join(other.path, 'setpoint', 'program', id), 0o777);
  expect(await run(['--version'], { home: other.path })).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`${id} can be changed by others`) as string });
});
