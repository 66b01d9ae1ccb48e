// The agent of the demo: a process as it would run anywhere, with its Applications in a file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Playground } from './playground.ts';
import type { Sink } from './sink.ts';
import { showCommand } from './terminal.ts';

export interface Agent extends AsyncDisposable {
  /** Aborted, with the reason and its last words, when it ends before it is told to. */
  readonly ended: AbortSignal;
}

interface AgentSettings {
  readonly playground: Playground;
  readonly repository: string;
  readonly sink: Sink;
  readonly ports: { readonly hooks: number; readonly operations: number };
}

/** Commits are applied at once; what is changed by hand is told, and undone in `search`. */
const driftModes = { web: 'Alert', search: 'Heal', reports: 'Alert' } as const;

export async function writeSettings({ playground: { folder, namespace }, repository, sink, ports }: AgentSettings): Promise<void> {
  const applications = Object.entries(driftModes).map(([name, mode]) => ({
    apiVersion: 'setpoint.dev/v1alpha1',
    kind: 'Application',
    metadata: { name },
    spec: {
      source: { repoURL: repository, targetRevision: 'main', path: name },
      destination: { namespace },
      syncPolicy: { automated: {} },
      drift: { mode },
    },
  }));
  const config = {
    // So long that the story is over before Git is asked again: a sync after a push is the webhook’s.
    interval: '10m',
    listenHooks: `127.0.0.1:${ports.hooks}`,
    listenOperations: `127.0.0.1:${ports.operations}`,
    receivers: [{ id: 'fleet', provider: 'generic', secretFile: 'hook-secret', repository }],
    destinations: [
      { name: 'team', type: 'slack', tokenFile: 'slack-token', channel: '#drift', apiUrl: `${sink.url}/api` },
      { name: 'audit', type: 'webhook', url: `${sink.url}/events`, secretFile: 'event-secret' },
    ],
    alerts: { rules: [{ name: 'drift', for: '1s', groupWait: '0s', groupInterval: '1s' }], allowPrivate: ['127.0.0.1'] },
  };
  const files = {
    'applications.yaml': applications.map((document) => JSON.stringify(document, null, 2)).join('\n---\n'),
    'agent.yaml': JSON.stringify(config, null, 2),
    'slack-token': 'xoxb-demo',
    'event-secret': sink.secret,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), `${content}\n`);
}

export async function startAgent({ folder, env }: Playground): Promise<Agent> {
  showCommand('setpoint run -f applications.yaml --config agent.yaml > agent.log 2>&1 &');
  const log = openSync(join(folder, 'agent.log'), 'a');
  // In a group of its own: Ctrl-C at the terminal is for the demo, which then stops the agent in its turn.
  const child = spawn(join(folder, 'bin', 'setpoint'), ['run', '-f', 'applications.yaml', '--config', 'agent.yaml'], { cwd: folder, env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = new AbortController();
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let isStopping = false;
  const over = once(child, 'close').then(async ([code]) => {
    process.removeListener('exit', kill);
    if (isStopping) return code as number | null;
    const lines = (await readFile(join(folder, 'agent.log'), 'utf8')).trimEnd().split('\n').slice(-8);
    ended.abort(new Error(`the agent ended by itself with ${code}:\n${lines.join('\n')}`));
    return null;
  });
  return {
    ended: ended.signal,
    async [Symbol.asyncDispose]() {
      isStopping = true;
      const isAlive = child.exitCode === null;
      child.kill('SIGTERM');
      const code = await over;
      if (isAlive && code !== 0) throw new Error(`the agent ended with ${code} when it was stopped, 0 was expected`);
    },
  };
}
