// `npm run demo`: the whole of Setpoint in a minute, on a Kubernetes of its own or, with --context NAME, on yours.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import git from 'isomorphic-git';
import pc from 'picocolors';
import { startControlPlane } from '../test/support/cluster/start-control-plane.ts';

const usage = `npm run demo                       on a control plane of its own (built once with Go)
npm run demo -- --context NAME     on a cluster of yours: makes one namespace there, and removes it`;
const setpoint = join(import.meta.dirname, '..', 'bin', 'setpoint.js');
const manifests = join(import.meta.dirname, 'quickstart');

interface Playground {
  /** Flags that lead both setpoint and kubectl to the cluster. */
  readonly flags: readonly string[];
  readonly kubectl: readonly [string, ...string[]];
  stop(): Promise<void>;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { context: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help === true) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-demo-'));
  const namespace = `setpoint-demo-${randomBytes(3).toString('hex')}`;
  say(values.context === undefined ? 'Starting a Kubernetes of our own …' : `Using the cluster of context ${values.context}.`);
  const playground = await openPlayground(values.context);
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  try {
    await kubectl(playground, ['create', 'namespace', namespace]);
    await story({ playground, folder, namespace, signal: interrupted.signal });
  } finally {
    // A cluster of our own goes away with everything in it; yours is left as it was found.
    if (values.context !== undefined) await kubectl(playground, ['delete', 'namespace', namespace, '--ignore-not-found', '--timeout=2m']);
    await playground.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Scene {
  readonly playground: Playground;
  readonly folder: string;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

async function story({ playground, folder, namespace, signal }: Scene): Promise<void> {
  const repository = join(folder, 'fleet');
  await makeRepository(repository);
  const common = ['--namespace', namespace, ...playground.flags];
  const agentFlags = ['--interval', '2s', '--state', join(folder, 'state'), '--log-level', 'warn', ...common];
  const agent = (mode: string, until: string): Promise<void> =>
    runAgent({ args: ['run', '--repo', `file://${repository}`, '--path', 'web', '--mode', mode], hidden: agentFlags, until, signal });
  const diff = (args: readonly string[], expected: number): Promise<void> =>
    runSetpoint({ args: ['diff', '-f', join(repository, 'web'), ...args], hidden: common, expected });

  step(1, 'Git has three resources, the cluster has none. By default the agent only tells:');
  await agent('alert', 'OutOfSync');
  step(2, 'With --mode auto it makes the cluster equal to Git:');
  await agent('auto', 'Synced');
  step(3, 'Somebody changes the cluster by hand …');
  await show(playground, ['scale', 'deployment/web', '--replicas=5', '-n', namespace]);
  await show(playground, ['set', 'env', 'deployment/web', 'DEBUG=1', '-n', namespace]);
  await show(playground, ['patch', 'configmap', 'web', '-n', namespace, '--type=merge', '-p', '{"data":{"GREETING":"hello from me"}}']);
  step(4, '… and setpoint diff says what drifted and who did it, also (*) what Git does not mention. Nothing is changed:');
  await diff([], 1);
  step(5, 'The same as RFC 6902 patches:');
  await diff(['-o', 'jsonpatch'], 1);
  step(6, 'The agent finds the drift, says that it is not a deploy, and heals it. What Git does not mention it leaves alone:');
  await agent('auto', 'Synced');
  await diff([], 0);
  say(pc.green('\nThe drift is healed: the cluster is as Git says.'));
}

async function openPlayground(context: string | undefined): Promise<Playground> {
  if (context !== undefined) return { flags: ['--context', context], kubectl: ['kubectl'], stop: () => Promise.resolve() };
  const cluster = await startControlPlane();
  say(pc.dim(`(${cluster.origin})`));
  return { flags: ['--kubeconfig', cluster.kubeconfig], kubectl: cluster.description.kubectl, stop: cluster.stop };
}

/** No git command is needed: the repository is made with the library that reads it. */
async function makeRepository(dir: string): Promise<void> {
  await cp(manifests, dir, { recursive: true });
  await git.init({ fs, dir, defaultBranch: 'main' });
  await git.add({ fs, dir, filepath: '.' });
  await git.commit({ fs, dir, message: 'The shop, as it should be', author: { name: 'Setpoint demo', email: 'demo@setpoint.dev' } });
}

interface AgentRun {
  readonly args: readonly string[];
  /** Flags that lead to the playground and tell a reader nothing. */
  readonly hidden: readonly string[];
  readonly until: string;
  readonly signal: AbortSignal;
}

/** Runs the agent until it says the wanted verdict, then stops it as a pod would be stopped. */
async function runAgent({ args, hidden, until, signal }: AgentRun): Promise<void> {
  say(pc.bold(`$ setpoint ${shorten(args)}`));
  const child = spawn(process.execPath, [setpoint, ...args, ...hidden], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
    killSignal: 'SIGTERM',
    env: colourful(),
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    if (new RegExp(`  ${until}\\b`).test(stripVTControlCharacters(text))) child.kill('SIGTERM');
  });
  await ended(child, 0);
}

async function runSetpoint({ args, hidden, expected }: Omit<AgentRun, 'until' | 'signal'> & { readonly expected: number }): Promise<void> {
  say(pc.bold(`$ setpoint ${shorten(args)}`));
  await ended(spawn(process.execPath, [setpoint, ...args, ...hidden], { stdio: 'inherit' }), expected);
  say(pc.dim(`exit code ${expected}`));
}

async function show(playground: Playground, args: readonly string[]): Promise<void> {
  say(pc.bold(`$ kubectl ${args.join(' ')}`));
  await kubectl(playground, args);
}

async function kubectl({ kubectl: [file, ...leading], flags }: Playground, args: readonly string[]): Promise<void> {
  await ended(spawn(file, [...leading, ...flags, ...args], { stdio: ['ignore', 'ignore', 'inherit'] }), 0);
}

function ended(child: ReturnType<typeof spawn>, expected: number): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === expected) resolve();
      else reject(new Error(`${child.spawnargs.slice(1, 4).join(' ')} ended with ${code}, ${expected} was expected`));
    });
  });
}

function colourful(): NodeJS.ProcessEnv {
  return pc.isColorSupported ? { ...process.env, FORCE_COLOR: '1' } : process.env;
}

/** Paths of temporary folders tell a reader nothing. */
function shorten(args: readonly string[]): string {
  return args.map((arg) => arg.replace(/^(file:\/\/)?\/.*\/(?=fleet)/, '$1…/')).join(' ');
}

function step(number: number, text: string): void {
  say(`\n${pc.cyan(`${number}.`)} ${text}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main().catch((error: Error) => {
  process.stderr.write(`the demo failed: ${error.message}\n`);
  process.exitCode = 1;
});
