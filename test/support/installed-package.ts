// The package as a stranger gets it: packed by npm, installed by npm with nothing to download, in a folder where nothing else is.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from './temp-folder.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The Node that the package runs on: another one than that of the tests where this names it. */
const node = process.env['SETPOINT_TEST_NODE'] || process.execPath;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stop?: AbortSignal;
}

export interface InstalledPackage extends AsyncDisposable {
  /** The folder that it was installed in. */
  readonly folder: string;
  /** Where npm put its commands. */
  readonly bin: string;
  /** The PATH of what is run; those commands are not on it. */
  readonly path: string;
  /** What is in the tarball. */
  readonly files: readonly string[];
  readonly unpackedBytes: number;
  /** As a stranger would, in that folder: an empty home, and no cache of npm's. `stop` ends what does not end by itself, by SIGTERM. */
  run(command: readonly [string, ...string[]], options?: RunOptions): Promise<Ran>;
}

export async function installPackage(): Promise<InstalledPackage> {
  const parts = new AsyncDisposableStack();
  const [sources, home, place] = [parts.use(await tempFolder()), parts.use(await tempFolder()), parts.use(await tempFolder())];
  await copySources(sources.path);
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|SETPOINT_|KUBE|NODE_|FORCE_COLOR)/i.test(name)));
  const path = [dirname(node), process.env['PATH']].join(delimiter);
  const { stdout } = await run('npm', ['pack', '--json'], { cwd: sources.path, env: { ...clean, PATH: path }, maxBuffer: 16 * 1024 * 1024 });
  const packed = packedOf(stdout);
  const env = { ...clean, PATH: path, HOME: home.path, XDG_CACHE_HOME: home.path, XDG_CONFIG_HOME: home.path, TMPDIR: home.path, NO_COLOR: '1', npm_config_cache: home.path, npm_config_update_notifier: 'false' };
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(sources.path, packed.filename)], { cwd: place.path, env });
  return {
    folder: place.path,
    bin: join(place.path, 'node_modules', '.bin'),
    path,
    files: packed.files.map((file) => file.path),
    unpackedBytes: packed.unpackedSize,
    run: (command, options = {}) => ranIn(place.path, command, { ...options, env: { ...env, ...options.env } }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** All that Git would bring to a fresh clone, and the packages. */
async function copySources(folder: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  await Promise.all(files.map((file) => cp(join(root, file), join(folder, file))));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
}

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** What scripts print comes before it; npm has changed from a list to an object by name. */
function packedOf(stdout: string): Packed {
  const json = JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as readonly Packed[] | Readonly<Record<string, Packed>>;
  const [packed] = Object.values(json);
  if (packed === undefined) throw new Error(`npm pack tells of no package: ${stdout}`);
  return packed;
}

function ranIn(cwd: string, [file, ...args]: readonly [string, ...string[]], { env, stop }: Omit<RunOptions, 'env'> & { readonly env: NodeJS.ProcessEnv }): Promise<Ran> {
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  stop?.addEventListener('abort', () => child.kill('SIGTERM'));
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, stdout: output.join(''), stderr: errors.join('') }));
  });
}
