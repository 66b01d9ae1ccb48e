// `npm run demo`: the whole of Setpoint in a minute, on a Kubernetes of its own or, with --context NAME, on yours.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { startAgent, writeSettings } from './demo/agent.ts';
import { createCommands } from './demo/commands.ts';
import { createFleet } from './demo/fleet.ts';
import { openPlayground, type Playground } from './demo/playground.ts';
import { startSink } from './demo/sink.ts';
import { tellStory } from './demo/story.ts';
import { note, say } from './demo/terminal.ts';

const usage = `npm run demo                       on a control plane of its own (built once with Go)
npm run demo -- --context NAME     on a cluster of yours, with your rights. It makes one namespace, setpoint-demo-…, works in that
                                   alone and deletes it at the end; nothing else is written, no definition is installed
npm run demo -- --keep             leaves everything running to play with, until Ctrl-C`;

async function main(signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ options: { context: { type: 'string' }, keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help === true) return say(usage);
  note(values.context === undefined ? 'A Kubernetes of our own is started …' : `On the cluster of context ${values.context}, in a namespace of our own.`);
  await using stack = new AsyncDisposableStack();
  const playground = stack.use(await openPlayground(values.context));
  const { folder, env } = playground;
  const sink = stack.use(await startSink());
  const ports = { hooks: await freePort(), operations: await freePort() };
  const secretFile = join(folder, 'hook-secret');
  await writeFile(secretFile, randomBytes(32).toString('hex'));
  const fleet = await createFleet({ folder, hook: `http://127.0.0.1:${ports.hooks}/hooks/fleet`, secretFile });
  await writeSettings({ playground, repository: fleet.url, sink, ports });
  const started = performance.now();
  await tellStory({
    ...{ fleet, sink, signal, metrics: `http://127.0.0.1:${ports.operations}/metrics` },
    commands: createCommands({ folder, env, signal }),
    startAgent: async () => stack.use(await startAgent(playground)).ended,
  });
  note(`\nThat was all, in ${Math.round((performance.now() - started) / 1000)} s.`);
  if (values.keep === true) {
    sink.showAll();
    await keep(playground, signal);
  }
  note('Everything that was started is stopped, and everything that was made is removed …');
}

async function keep({ folder, namespace }: Playground, signal: AbortSignal): Promise<void> {
  say(`
It goes on until Ctrl-C; alerts are shown here. In another terminal:

  cd ${folder} && export PATH="$PWD/bin:$PATH"     # setpoint and kubectl that lead to namespace ${namespace}

  setpoint status --state --watch
  kubectl scale deployment/web --replicas=1              # told
  kubectl delete deployment/search                       # undone
  setpoint mute web --state --for 1h --reason playing
  setpoint alerts list --state
  $EDITOR fleet/web/service.yaml && git -C fleet commit -am "…" && git -C fleet push
  $EDITOR applications.yaml                              # what is done about what; tail -f agent.log says what is done
`);
  if (!signal.aborted) await once(signal, 'abort');
}

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupted.abort(new Error(`interrupted by ${name}`)));
await main(interrupted.signal).catch((error: Error) => {
  process.stderr.write(interrupted.signal.aborted ? 'the demo was interrupted\n' : `the demo failed: ${error.message}\n`);
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
});
