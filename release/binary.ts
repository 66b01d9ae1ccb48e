// The package and this machine's Node in → one file that needs neither: `npm run build:binary [-- FILE]`.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { makePackage } from './package.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const injector = fileURLToPath(import.meta.resolve('postject/dist/cli.js'));

/** Node looks for these names in its own file. */
const resource = { name: 'NODE_SEA_BLOB', fuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2', segment: 'NODE_SEA' };

async function buildBinary(file: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'setpoint-binary-'));
  try {
    const files = await makePackage();
    const [start, config, blob, id] = ['start.cjs', 'config.json', 'blob', 'id'].map((name) => join(work, name)) as [string, string, string, string];
    await bundleStart(start);
    await writeFile(id, await digestOf(files));
    const assets = { id, ...Object.fromEntries(files.map((path) => [`files/${path}`, join(root, path)])) };
    await writeFile(config, JSON.stringify({ main: start, output: blob, disableExperimentalSEAWarning: true, assets }));
    await run(process.execPath, ['--experimental-sea-config', config]);
    await mkdir(dirname(file), { recursive: true });
    // Never into a file that is there: it may be running.
    await rm(file, { force: true });
    await copyFile(process.execPath, file);
    await chmod(file, 0o755);
    await run(process.execPath, [injector, file, resource.name, blob, '--sentinel-fuse', resource.fuse, '--macho-segment-name', resource.segment]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function bundleStart(file: string): Promise<void> {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'binary-start.ts'), platform: 'node' });
  await bundle.write({ file, format: 'cjs' });
  await bundle.close();
}

async function digestOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of files) hash.update(`${path}\n`).update(await readFile(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

const file = resolve(process.argv[2] ?? join(root, 'dist', process.platform === 'win32' ? 'setpoint.exe' : 'setpoint'));
await buildBinary(file);
process.stdout.write(`${file}\n`);
