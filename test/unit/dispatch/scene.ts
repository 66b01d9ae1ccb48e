// A dispatcher with all of its ports in the hands of the test.
import { startDispatcher, type AlertStore, type Dispatcher } from '../../../src/dispatch/index.ts';
import { emptyStatus, plainApplication, resourceKey, type Alert, type AlertRule, type Application, type AppStatus, type Notification, type SendOutcome } from '../../../src/model/index.ts';
import { createMemoryQueue, type WorkQueue } from '../../../src/queue/index.ts';
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';

export interface Scene {
  readonly clock: ManualClock;
  readonly dispatcher: Dispatcher;
  readonly queue: WorkQueue;
  readonly sent: readonly Notification[];
  readonly said: readonly string[];
  /** How many times a status was written. */
  readonly writes: () => number;
  /** What a destination does with a notification. */
  answer: (notification: Notification, signal: AbortSignal) => Promise<SendOutcome>;
  mayWrite: () => void;
  /** Comes before each write of a status. */
  beforeWrite: (id: string) => Promise<void>;
  /** Comes before each key that is queued. */
  beforeAdd: () => Promise<void>;
  drift(...ids: readonly string[]): void;
  end(...ids: readonly string[]): void;
  alerts(id: string): readonly Alert[];
}

const rule: AlertRule = {
  ...{ name: 'drift', match: {}, severity: 'warning', groupBy: ['app'], sendResolved: true, sendHealed: false, destinations: ['hook'] },
  ...{ forMs: 0, groupWaitMs: 0, groupIntervalMs: 0, repeatIntervalMs: 0 },
};
const key = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'env' });

export function dispatchScene(names: readonly string[], changes: Partial<AlertRule> = {}): Scene {
  const clock = manualClock();
  const statuses = new Map<string, AppStatus>(names.map((name) => [name, { ...emptyStatus(name), verdict: { status: 'Synced' } }]));
  const applications: readonly Application[] = names.map((name) => plainApplication({ name, sources: [{ repository: 'https://git.example.com/fleet', revision: 'main', path: name, ref: undefined, options: {} }] }));
  const [sent, said]: [Notification[], string[]] = [[], []];
  let made = 0;
  let writes = 0;
  const statusOf = (id: string): AppStatus => statuses.get(id) ?? emptyStatus(id);
  const store: AlertStore = {
    read: (id) => Promise.resolve(statusOf(id)),
    async update(id, change) {
      await scene.beforeWrite(id);
      writes += 1;
      const next = change(statusOf(id));
      statuses.set(id, next);
      return next;
    },
  };
  const memory = createMemoryQueue({ concurrency: 1, backoff: { baseMs: 1000, maxMs: 1000 }, random: clock.random, setTimer: clock.setTimer, now: clock.monotonic });
  const queue: WorkQueue = {
    ...memory,
    async add(wanted) {
      await scene.beforeAdd();
      await memory.add(wanted);
    },
  };
  const look = (id: string, isDrift: boolean): void => {
    const status = statusOf(id);
    const now = clock.now().toISOString();
    const open = { id: `episode-${(made += 1)}`, key, cause: 'live-changed', openedAt: now, closedAt: null, fingerprint: 'f', fields: ['data.mode'] } as const;
    const episodes = isDrift ? [open, ...status.episodes] : status.episodes.map((episode) => ({ ...episode, closedAt: episode.closedAt ?? now }));
    statuses.set(id, { ...status, verdict: isDrift ? { status: 'OutOfSync', cause: 'live-changed' } : { status: 'Synced' }, verdictSince: now, episodes });
    dispatcher.noticed(id);
  };
  const scene: Omit<Scene, 'dispatcher'> = {
    ...{ clock, queue, sent, said },
    writes: () => writes,
    answer: () => Promise.resolve({ type: 'sent' }),
    mayWrite: () => undefined,
    beforeWrite: () => Promise.resolve(),
    beforeAdd: () => Promise.resolve(),
    drift: (...ids) => ids.forEach((id) => look(id, true)),
    end: (...ids) => ids.forEach((id) => look(id, false)),
    alerts: (id) => statusOf(id).alerts,
  };
  const hook = {
    name: 'hook',
    send(notification: Notification, signal: AbortSignal) {
      sent.push(notification);
      return scene.answer(notification, signal);
    },
    close: () => Promise.resolve(),
  };
  const dispatcher = startDispatcher(
    { rules: [{ ...rule, ...changes }], muteWindows: [] },
    {
      ...{ store, clock, cluster: 'prod', applications: () => applications, silences: () => [], mayWrite: () => scene.mayWrite(), newId: () => `id-${(made += 1)}` },
      destinations: new Map([['hook', hook]]),
      queues: new Map([['hook', queue]]),
      report: {
        attempted: (destination, result, { why = '' }) => void said.push(`${result} ${destination} ${why}`.trim()),
        gone: (destination, why) => void said.push(`gone ${destination} ${why}`),
        hindered: (what, error) => void said.push(`${what}: ${error.message}`),
      },
    },
  );
  return Object.assign(scene, { dispatcher });
}
