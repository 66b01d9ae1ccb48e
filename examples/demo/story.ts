// The story of the demo. Each step finds out whether what it tells has happened, and fails where it has not.
import { readApplications, readHistory, verdicts, type ApplicationView } from './applications.ts';
import type { Commands } from './commands.ts';
import { eventually } from './eventually.ts';
import type { Fleet } from './fleet.ts';
import type { Sink } from './sink.ts';
import { createSteps, done, showCommand } from './terminal.ts';

export interface Scene {
  readonly commands: Commands;
  readonly fleet: Fleet;
  readonly sink: Sink;
  /** Where the agent’s metrics are. */
  readonly metrics: string;
  /** Starts it. The signal is for when it ends before it should. */
  readonly startAgent: () => Promise<AbortSignal>;
  readonly signal: AbortSignal;
}

export async function tellStory(scene: Scene): Promise<void> {
  const step = createSteps();
  step('Git has three applications, the cluster has none of them. An agent starts, and deploys them:');
  const signal = AbortSignal.any([scene.signal, await scene.startAgent()]);
  const at = { ...scene, signal };
  await deploy(at);
  step('Somebody changes the cluster by hand. The agent says what drifted, since when, and who did it:');
  await drift(at);
  step('It lasts, so those who want to know are told:');
  await alert(at);
  step('"search" is to be as Git says at all times. What is done to it by hand does not last:');
  await heal(at);
  step('"web" is only watched for that: whether it goes back is for somebody to say. Then the alert is over, too:');
  await sync(at);
  step('A commit is pushed. The agent asks Git only every 10 minutes, but the repository sends it a signed webhook:');
  await push(at);
}

async function deploy(scene: Scene): Promise<void> {
  const { commands } = scene;
  await untilAll(scene, 'all three to be Synced', (all) => all.length === 3 && all.every(isSynced));
  await commands.show('setpoint status --state');
}

async function drift(scene: Scene): Promise<void> {
  const { commands } = scene;
  await commands.show('kubectl scale deployment/web --replicas=5');
  await commands.show('kubectl set env deployment/web DEBUG=1');
  const isDrifted = ({ name, sync: { status, cause, since }, drift: { by } }: ApplicationView): boolean =>
    name === 'web' && status === 'OutOfSync' && cause === 'live-changed' && since !== null && by.length > 0;
  await untilAll(scene, 'web alone to be OutOfSync (live-changed), with a name', (all) => all.some(isDrifted) && all.filter(isSynced).length === 2);
  await commands.show('setpoint status --state');
  await commands.show('setpoint diff -f fleet/web', 1);
}

async function alert({ sink, signal }: Scene): Promise<void> {
  await eventually(() => sink.messages.find((text) => text.includes('git 3 → live 5')), { what: 'a Slack message with "git 3 → live 5"', signal });
  await eventually(() => sink.events.find((type) => type === 'dev.setpoint.drift.firing.v1'), { what: 'the same as a signed CloudEvent', signal });
  sink.show();
  done('the same came as a CloudEvent, dev.setpoint.drift.firing.v1, and its signature is right');
}

async function heal({ commands, signal }: Scene): Promise<void> {
  await commands.show('kubectl set image deployment/search search=nginx:latest');
  await commands.show('kubectl delete service/search');
  const started = performance.now();
  const image = 'kubectl get deployment/search -o jsonpath={.spec.template.spec.containers[0].image}';
  await eventually(async () => ((await commands.read(image)) === 'nginx:1.29' ? true : undefined), { what: 'the image of search to be nginx:1.29 again', signal });
  await eventually(() => commands.read('kubectl get service/search -o name'), { what: 'the Service of search to be there again', signal });
  const seconds = secondsSince(started);
  const isHealed = async (): Promise<true | undefined> => {
    const healed = (await readHistory(commands, 'search')).filter(({ type, until, correctedAt }) => type === 'drift' && typeof until === 'string' && typeof correctedAt === 'string');
    return new Set(healed.map(({ resource }) => resource)).size === 2 ? true : undefined;
  };
  await eventually(isHealed, { what: 'both changes of search in its history, as corrected', signal });
  await commands.show('setpoint history search --state');
  done(`both were undone within ${seconds} s, and are on record`);
}

async function sync(scene: Scene): Promise<void> {
  const { commands, sink, signal } = scene;
  await commands.show('setpoint sync web --state');
  await untilAll(scene, 'all three to be Synced again', (all) => all.length === 3 && all.every(isSynced));
  await eventually(() => sink.events.find((type) => type === 'dev.setpoint.drift.resolved.v1'), { what: 'the end of the alert', signal });
  await eventually(() => sink.messages.slice(1).find((text) => text.includes('🟢')), { what: 'the Slack message to say that it is over', signal });
  sink.show();
  await commands.show('setpoint diff -f fleet/web');
}

async function push(scene: Scene): Promise<void> {
  const { commands, fleet, metrics, signal } = scene;
  const before = await acceptedHooks(metrics, signal);
  showCommand('sed -i "s/replicas: 3/replicas: 4/" fleet/web/deployment.yaml');
  const commit = await fleet.change('web/deployment.yaml', 'replicas: 3', 'replicas: 4');
  showCommand('git -C fleet commit -am "replicas: 4" && git -C fleet push');
  const started = performance.now();
  const said = await fleet.push();
  const announced = performance.now();
  if (!said.includes('"accepted"')) throw new Error(`the webhook was to be accepted, but this was said of it: ${said}`);
  done(said);
  const replicas = 'kubectl get deployment/web -o jsonpath={.spec.replicas}';
  await eventually(async () => ((await commands.read(replicas)) === '4' ? true : undefined), { what: 'four replicas of web in the cluster', signal });
  const total = secondsSince(started);
  const afterHook = secondsSince(announced);
  await untilAll(scene, `web to be Synced at ${commit.slice(0, 7)}`, (all) => all.some((each) => each.name === 'web' && isSynced(each) && each.sync.revision === commit));
  if ((await acceptedHooks(metrics, signal)) !== before + 1) throw new Error('one more webhook was to be counted in the metrics of the agent');
  await commands.show('setpoint status --state');
  done(`${total} s from the push, and ${afterHook} s from the webhook, until it was in the cluster`);
}

function isSynced({ sync: { status } }: ApplicationView): boolean {
  return status === 'Synced';
}

async function untilAll({ commands, signal }: Scene, what: string, isWanted: (all: readonly ApplicationView[]) => boolean): Promise<void> {
  let last: readonly ApplicationView[] = [];
  const ask = async (): Promise<true | undefined> => {
    last = await readApplications(commands);
    return isWanted(last) ? true : undefined;
  };
  await eventually(ask, { what, signal }).catch((error: Error) => {
    throw new Error(`${error.message} (${verdicts(last)})`, { cause: error });
  });
}

async function acceptedHooks(metrics: string, signal: AbortSignal): Promise<number> {
  const text = await (await fetch(metrics, { signal })).text();
  return Number(/^setpoint_webhook_requests_total\{receiver="fleet",result="accepted"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
