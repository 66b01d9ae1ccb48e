// Applications that drift on a clock of their own, the real dispatcher with its state in a folder, and a real server for each destination.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { advanceEpisodes, markCorrected } from '../../../src/alert/index.ts';
import { startDispatcher, type Clock, type Dispatcher } from '../../../src/dispatch/index.ts';
import { emptyStatus, plainApplication, resourceKey, type AlertRule, type Application, type AppStatus, type Cause, type DestinationConfig, type ResourceKey, type ResourceStatus, type Silence } from '../../../src/model/index.ts';
import { createDestination, createHttp, readSecret } from '../../../src/notify/index.ts';
import { createMemoryQueue } from '../../../src/queue/index.ts';
import { openStateFolder, type StateFolder } from '../../../src/status/index.ts';
import { startAlertSink, type AlertAnswer, type AlertSink } from '../../support/alert-sink.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export const seconds = 1000;
export const minutes = 60_000;

export function driftRule(changes: Partial<AlertRule> = {}): AlertRule {
  return {
    ...{ name: 'drift', match: {}, severity: 'warning', groupBy: ['cluster', 'namespace', 'app'], sendResolved: true, sendHealed: false },
    ...{ forMs: 0, groupWaitMs: 0, groupIntervalMs: 1 * seconds, repeatIntervalMs: 24 * 60 * minutes, destinations: ['hook'] },
    ...changes,
  };
}

/** How a look finds an application: in sync where `cause` is absent. */
export interface Finding {
  readonly cause?: Cause;
  readonly live?: number;
  /** A heal was on record before what it put right was seen to be over. */
  readonly isCorrected?: boolean;
}

export interface DispatchScene extends AsyncDisposable {
  sink(destination: string): AlertSink;
  /** When each request to a destination left, in milliseconds since the start. */
  leftAt(destination: string): readonly number[];
  /** Said of deliveries: `sent`, `failed`, `gone` and `hindered`, each with what it is about. */
  readonly said: readonly string[];
  silences: readonly Silence[];
  now(): Date;
  look(id: string, finding?: Finding): Promise<void>;
  pass(ms: number): Promise<void>;
  status(id: string): Promise<AppStatus>;
  disabled(): readonly string[];
  ask(id: string, change: Partial<Application>): void;
  /** The dispatcher ends, and another one goes on with what is in the folder. */
  restart(): Promise<void>;
}

export interface SceneOptions {
  readonly rules: readonly AlertRule[];
  readonly applications: readonly string[];
  readonly destinations: Readonly<Record<string, 'webhook' | 'slack'>>;
}

const slackTakes: AlertAnswer = { status: 200, body: JSON.stringify({ ok: true, channel: 'C0123456789', ts: '1794826000.000100' }) };
const key: ResourceKey = resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' });

export async function dispatchScene({ rules, applications, destinations }: SceneOptions): Promise<DispatchScene> {
  const parts = new AsyncDisposableStack();
  const folder = parts.use(await tempFolder());
  const manual = manualClock();
  const due = new Map<object, number>();
  let busy = 0;
  let made = 0;
  const newId = (): string => `01JD${String((made += 1)).padStart(22, '0')}`;
  const told: { readonly destination: string; readonly at: number }[] = [];
  const said: string[] = [];
  const sinks = new Map<string, AlertSink>();
  const configs = new Map<string, DestinationConfig>();
  const tokenFile = join(folder.path, 'token');
  await writeFile(tokenFile, 'xoxb-of-this-test');
  for (const [name, type] of Object.entries(destinations)) {
    const sink = parts.use(await startAlertSink(type === 'slack' ? slackTakes : { status: 200 }));
    sinks.set(name, sink);
    configs.set(name, type === 'slack' ? { name, type, tokenFile, channel: '#drift', apiUrl: sink.url } : { name, type, url: sink.url });
  }
  const declared = new Map(applications.map((name) => [name, applicationOf(name)]));

  /** Real disks and sockets take time that this clock knows nothing of. */
  const counted = <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) => async (...args: A): Promise<R> => {
    busy += 1;
    try {
      return await work(...args);
    } finally {
      busy -= 1;
    }
  };
  const clock: Clock = {
    now: manual.now,
    random: manual.random,
    setTimer(callback, delayMs) {
      const id = {};
      due.set(id, manual.monotonic() + Math.max(0, delayMs));
      const cancel = manual.setTimer(() => {
        due.delete(id);
        callback();
      }, delayMs);
      return () => {
        due.delete(id);
        cancel();
      };
    },
  };
  const quiet = async (): Promise<void> => {
    for (let turns = 0; turns < 4; turns = busy === 0 ? turns + 1 : 0) await turn();
  };

  let running = await begin();
  parts.defer(() => running.end());

  async function begin(): Promise<{ readonly store: StateFolder; readonly dispatcher: Dispatcher; end(): Promise<void> }> {
    const state = await openStateFolder(join(folder.path, 'state'));
    const store: StateFolder = { ...state, read: counted(state.read), update: counted(state.update) };
    const http = createHttp({ allowPrivate: ['127.0.0.1'] });
    const connected = [...configs].map(([name, config]) => {
      const post = counted(http.post);
      const counting = {
        ...http,
        post: (...args: Parameters<typeof post>): ReturnType<typeof post> => {
          told.push({ destination: name, at: manual.monotonic() });
          return post(...args);
        },
      };
      return [name, createDestination(config, { http: counting, readSecret: counted(readSecret), now: clock.now, setTimer: clock.setTimer })] as const;
    });
    const queue = { concurrency: 1, random: clock.random, setTimer: clock.setTimer, now: manual.monotonic };
    const dispatcher = startDispatcher(
      { rules, muteWindows: [] },
      {
        ...{ store, clock, newId, cluster: 'prod', mayWrite: () => undefined },
        applications: () => [...declared.values()],
        destinations: new Map(connected),
        queues: new Map([...configs.keys()].map((name) => [name, createMemoryQueue(queue)])),
        silences: () => scene.silences,
        report: {
          attempted: (destination, result) => void said.push(`${result} ${destination}`),
          gone: (destination) => void said.push(`gone ${destination}`),
          hindered: (what, error) => void said.push(`hindered ${what}: ${error.message}`),
        },
      },
    );
    return {
      ...{ store, dispatcher },
      async end() {
        await dispatcher.stop();
        await http.close();
      },
    };
  }

  const scene: DispatchScene = {
    silences: [],
    said,
    sink(destination) {
      const sink = sinks.get(destination);
      if (sink === undefined) throw new RangeError(`no destination ${destination} in the scene`);
      return sink;
    },
    leftAt: (destination) => told.filter((one) => one.destination === destination).map(({ at }) => at),
    now: manual.now,
    async look(id, finding = {}) {
      await running.store.update(id, (status) => lookedAt(status, finding, { now: manual.now().toISOString(), newId }));
      running.dispatcher.noticed(id);
    },
    async pass(ms) {
      const end = manual.monotonic() + ms;
      await quiet();
      for (;;) {
        const next = Math.min(...due.values());
        if (next > end) break;
        await manual.pass(Math.max(0, next - manual.monotonic()));
        await quiet();
      }
      await manual.pass(end - manual.monotonic());
      await quiet();
    },
    status: (id) => running.store.read(id),
    disabled: () => running.dispatcher.disabled(),
    ask(id, change) {
      declared.set(id, { ...applicationOf(id), ...change });
      running.dispatcher.noticed(id);
    },
    async restart() {
      await running.end();
      running = await begin();
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
  return scene;
}

function applicationOf(name: string): Application {
  const sources = [{ repository: 'https://git.example.com/fleet', revision: 'main', path: name, ref: undefined, options: {} }];
  return plainApplication({ name, sources, destination: { namespace: 'shop' } });
}

function lookedAt(status: AppStatus, { cause, live = 5, isCorrected = false }: Finding, { now, newId }: { readonly now: string; readonly newId: () => string }): AppStatus {
  const changes = [{ path: '/spec/replicas', display: 'spec.replicas', live, desired: 3, owners: [{ manager: 'kubectl-edit', operation: 'Update' }] }];
  const differing: readonly (ResourceStatus & { readonly cause: Cause })[] = cause === undefined ? [] : [{ key, origin: 'web.yaml#1', type: 'changed', cause, since: now, changes, by: 'kubectl-edit', patch: [{ op: 'replace', path: '/spec/replicas', value: 3 }] }];
  const before = isCorrected ? markCorrected(status.episodes, new Set([key]), now) : status.episodes;
  return {
    ...emptyStatus(status.name),
    ...status,
    verdict: cause === undefined ? { status: 'Synced' } : { status: 'OutOfSync', cause },
    verdictSince: now,
    checkedAt: now,
    resources: differing,
    episodes: advanceEpisodes({ name: status.name, episodes: before, differing, unknown: new Set(), now, newId }),
  };
}
