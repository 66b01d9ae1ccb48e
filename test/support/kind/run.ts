// `npm run e2e:kind`: the image, the chart and the tests of the whole product on a cluster of kind; with --print, only the commands.
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { kindFiles } from './cluster.ts';
import { kindSteps, type Engine, type Step } from './steps.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const say = (text: string): void => void process.stderr.write(`${text}\n`);

type Answer = { readonly type: 'answers' } | { readonly type: 'fails'; readonly why: string };

function ask(command: string, ...args: readonly string[]): Answer {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 30_000 });
  if (error !== undefined) return { type: 'fails', why: (error as NodeJS.ErrnoException).code === 'ENOENT' ? `${command} is not on the PATH` : `${command} cannot be run (${error.message})` };
  return status === 0 ? { type: 'answers' } : { type: 'fails', why: `${command} is there and does not answer (${stderr.trim().split('\n').at(-1) ?? ''})` };
}

const whyOf = (answer: Answer): readonly string[] => (answer.type === 'fails' ? [answer.why] : []);

/** The engine to use, or what is missing, in phrases. */
function lookAround(): { readonly engine: Engine } | { readonly missing: readonly string[] } {
  const tools = [ask('kind', 'version'), ask('helm', 'version'), ask('kubectl', 'version', '--client')].flatMap(whyOf);
  const docker = ask('docker', 'info');
  const podman = docker.type === 'answers' ? docker : ask('podman', 'info');
  const engines = podman.type === 'answers' ? [] : [`no container engine: ${[docker, podman].flatMap(whyOf).join(', ')}`];
  const missing = [...tools, ...engines];
  return missing.length > 0 ? { missing } : { engine: docker.type === 'answers' ? 'docker' : 'podman' };
}

async function run([file, ...args]: readonly [string, ...string[]], env: Step['env'] = {}): Promise<number> {
  say(`$ ${[file, ...args].join(' ')}`);
  const child = spawn(file, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  return new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve(code ?? 1)));
}

async function runAll(steps: readonly Step[]): Promise<number> {
  const [step, ...rest] = steps;
  if (step === undefined) return 0;
  const code = await run(step.command, step.env);
  if (code !== 0) {
    say(`e2e:kind: ${step.command.slice(0, 3).join(' ')} … ended with ${code}`);
    return 1;
  }
  try {
    return await runAll(rest);
  } finally {
    if (step.undo !== undefined) await run(step.undo, step.env);
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { print: { type: 'boolean', default: false } } });
  if (values.print) {
    for (const { path, text } of kindFiles('$FOLDER')) process.stdout.write(`# ${path}\n${text.replaceAll(/^(?=.)/gm, '#   ')}`);
    for (const { command, env = {}, undo } of kindSteps({ engine: 'docker', folder: '$FOLDER' })) {
      process.stdout.write(`${[...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...command].join(' ')}\n`);
      if (undo !== undefined) process.stdout.write(`  at the end: ${undo.join(' ')}\n`);
    }
    return 0;
  }
  const found = lookAround();
  if ('missing' in found) {
    say(`e2e:kind needs kind, helm, kubectl, and docker or podman: ${found.missing.join('; ')}`);
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-kind-'));
  // What runs gets the signal too, and ends; the cluster is still to be removed.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  try {
    for (const { path, text } of kindFiles(folder)) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    return await runAll(kindSteps({ engine: found.engine, folder }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
