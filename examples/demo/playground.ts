// A folder, a cluster and a namespace in it, with `setpoint` and `kubectl` that lead there; all of it goes away at the end.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { startControlPlane } from '../../test/support/cluster/start-control-plane.ts';
import { quoted } from './quoted.ts';
import { note } from './terminal.ts';

const run = promisify(execFile);
const setpoint = join(import.meta.dirname, '..', '..', 'bin', 'setpoint.js');

export interface Playground extends AsyncDisposable {
  readonly folder: string;
  readonly namespace: string;
  /** For commands: nothing that the user has set for agents of their own. */
  readonly env: NodeJS.ProcessEnv;
}

interface ClusterAccess {
  readonly kubeconfig: string;
  readonly context: string;
  readonly kubectl: readonly [string, ...string[]];
}

/** With a context, a cluster of the user’s: it is given one namespace, and loses it again. */
export async function openPlayground(context: string | undefined): Promise<Playground> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-demo-'));
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const access = context === undefined ? await ownCluster(opened) : usersCluster(context);
  const namespace = `setpoint-demo-${randomBytes(3).toString('hex')}`;
  const [file, ...leading] = access.kubectl;
  const kubectl = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run(file, [...leading, '--context', access.context, ...args], { env: { ...process.env, KUBECONFIG: access.kubeconfig } });
    return stdout;
  };
  // Credentials stay where they are: our file has a context of its own, and names the cluster and the user of theirs.
  const view = JSON.parse(await kubectl('config', 'view', '--minify', '-o', 'json')) as { contexts: { context: { cluster: string; user: string } }[] };
  const own = { ...view.contexts[0]?.context, namespace };
  const config = { apiVersion: 'v1', kind: 'Config', 'current-context': 'demo', contexts: [{ name: 'demo', context: own }] };
  await writeFile(join(folder, 'kubeconfig'), JSON.stringify(config));
  await writeCommands(folder, { KUBECONFIG: [join(folder, 'kubeconfig'), access.kubeconfig].join(delimiter), XDG_STATE_HOME: join(folder, 'state') }, access.kubectl);
  await kubectl('create', 'namespace', namespace);
  // A cluster of our own goes away with everything in it.
  if (context !== undefined) opened.defer(async () => void (await kubectl('delete', 'namespace', namespace, '--ignore-not-found', '--timeout=2m')));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SETPOINT_')));
  const kept = opened.move();
  return { folder, namespace, env, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function ownCluster(opened: AsyncDisposableStack): Promise<ClusterAccess> {
  const cluster = await startControlPlane();
  opened.defer(() => cluster.stop());
  note(`(${cluster.origin})`);
  return { kubeconfig: cluster.kubeconfig, context: 'test', kubectl: cluster.description.kubectl };
}

function usersCluster(context: string): ClusterAccess {
  return { kubeconfig: process.env['KUBECONFIG'] ?? join(homedir(), '.kube', 'config'), context, kubectl: ['kubectl'] };
}

/** What the story shows can be typed as it stands, with this folder’s `bin` on the PATH. */
async function writeCommands(folder: string, env: Readonly<Record<string, string>>, kubectl: readonly string[]): Promise<void> {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const commands = { setpoint: [process.execPath, setpoint], kubectl };
  await mkdir(join(folder, 'bin'));
  for (const [name, command] of Object.entries(commands)) {
    const path = join(folder, 'bin', name);
    // The kubectl of the PATH must not be this file itself.
    const words = command.length === 1 ? ['env', `PATH=${process.env['PATH'] ?? ''}`, ...command] : command;
    await writeFile(path, `#!/bin/sh\nexport ${settings.join(' ')}\nexec ${words.map(quoted).join(' ')} "$@"\n`);
    await chmod(path, 0o755);
  }
}
