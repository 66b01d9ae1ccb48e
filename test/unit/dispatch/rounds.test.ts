import { expect, test } from 'vitest';
import { createRounds } from '../../../src/dispatch/rounds.ts';
import { mutesAt } from '../../../src/dispatch/settings.ts';
import { emptyStatus, plainApplication, resourceKey, type AlertRule, type Application, type AppStatus, type Silence } from '../../../src/model/index.ts';
import { manualClock } from '../../support/manual-clock.ts';

const rule: AlertRule = {
  ...{ name: 'drift', match: {}, severity: 'warning', groupBy: ['app'], sendResolved: true, sendHealed: false, destinations: ['hook'] },
  ...{ forMs: 0, groupWaitMs: 0, groupIntervalMs: 0, repeatIntervalMs: 0 },
};
const key = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'env' });
const muted = { until: '2100-01-01T00:00:00.000Z', reason: 'a load test', author: 'ann' };

/** How often something was looked at. */
function counted<T>(value: T): { readonly value: () => T; readonly count: () => number } {
  let count = 0;
  return {
    value() {
      count += 1;
      return value;
    },
    count: () => count,
  };
}

function scene(applications: readonly Application[], { silences = [], cron = '* * * * *' }: { readonly silences?: readonly Silence[]; readonly cron?: string } = {}) {
  const clock = manualClock();
  const at = clock.now().toISOString();
  const drift = { id: 'episode', key, cause: 'live-changed', openedAt: at, closedAt: null, fingerprint: 'f', fields: ['data.mode'] } as const;
  const statuses = new Map(applications.map(({ id }): [string, AppStatus] => [id, { ...emptyStatus(id), verdict: { status: 'OutOfSync', cause: 'live-changed' }, episodes: [drift] }]));
  const [queued, readCron] = [[] as string[], counted(cron)];
  let made = 0;
  const window = {
    ...{ name: 'nights', durationMs: 60_000, timezone: 'UTC', match: { applications: ['nothing'] } },
    get cron() {
      return readCron.value();
    },
  };
  const round = createRounds(
    { rules: [rule], muteWindows: [window] },
    {
      store: {
        read: (id) => Promise.resolve(statuses.get(id) ?? emptyStatus(id)),
        update(id, change) {
          const next = change(statuses.get(id) ?? emptyStatus(id));
          statuses.set(id, next);
          return Promise.resolve(next);
        },
      },
      ...{ clock, cluster: 'prod', applications: () => applications, silences: () => silences, mayWrite: () => undefined, newId: () => `id-${(made += 1)}` },
      destinations: new Map([['hook', { name: 'hook', send: () => Promise.resolve({ type: 'sent' }), close: () => Promise.resolve() }]]),
      queues: new Map([['hook', { add: (id) => Promise.resolve(void queued.push(id)), start: () => undefined, close: () => Promise.resolve() }]]),
      report: { attempted: () => undefined, gone: () => undefined, hindered: () => undefined },
    },
    () => [],
  );
  const claimed = (): readonly string[] => [...statuses].flatMap(([id, { alerts }]) => (alerts.some(({ deliveries }) => deliveries['hook']?.claim !== undefined) ? [id] : []));
  return { round: () => round(new Set(), new AbortController().signal), claimed, windowsRead: readCron.count };
}

function application(name: string, changes: Partial<Application> = {}): Application {
  return { ...plainApplication({ name, sources: [] }), ...changes };
}

test('a mute window is worked out once in a round, however many applications there are', async () => {
  const at = scene(Array.from({ length: 50 }, (_, index) => application(`app-${index}`)));
  await at.round();
  expect(at.windowsRead()).toBe(1);
});

test('what may mute an application is what is for all, and its own mute: not those of the others', () => {
  const silence: Silence = { id: 'sil-1', match: { applications: ['search'] }, from: '1970-01-01T00:00:00.000Z', ...muted };
  const mutesOf = mutesAt({ rules: [], muteWindows: [], silences: [silence] }, new Date('2026-01-01T00:00:00Z'));
  const names = (of: Application): readonly string[] => mutesOf(of).map(({ mute }) => (mute.type === 'silence' ? mute.id : mute.name));
  expect([application('web', { mute: muted }), application('cart', { mute: { ...muted, until: '2000-01-01T00:00:00.000Z' } }), application('shop')].map(names)).toEqual([['mute/web', 'sil-1'], ['sil-1'], ['sil-1']]);
});

test('an application that somebody muted is quiet, and so is what a silence is about; the others are told of', async () => {
  const silence: Silence = { id: 'sil-1', match: { applications: ['search'] }, from: '1970-01-01T00:00:00.000Z', ...muted };
  const at = scene([application('web', { mute: muted }), application('search'), application('shop'), application('cart', { mute: { ...muted, until: '2000-01-01T00:00:00.000Z' } })], { silences: [silence] });
  await at.round();
  expect(at.claimed()).toEqual(['shop', 'cart']);
});
