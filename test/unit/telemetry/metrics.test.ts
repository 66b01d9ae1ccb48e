import { expect, test } from 'vitest';
import { createMetrics, type AppSample } from '../../../src/telemetry/index.ts';

/** The samples, without help, types and histograms. */
async function samples(metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> {
  return (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#') && !/_(?:bucket|sum|count)[{ ]/.test(line) && !line.endsWith(' 0')).toSorted();
}

test('work is counted by repository and kind, bytes with it', async () => {
  const metrics = createMetrics();
  metrics.gitListed('https://h/r');
  metrics.gitListed('https://h/r');
  metrics.gitFetched('https://h/r', { type: 'first', bytes: 1000, ms: 20 });
  metrics.gitFetched('https://h/r', { type: 'incremental', bytes: 24, ms: 5 });
  metrics.rendered('helm');
  metrics.rendered('directory');
  metrics.rendered('helm');
  metrics.parsed(3);
  metrics.parsed(4);
  metrics.webhook('push', 'accepted');
  metrics.applied('held', 2);
  expect(await samples(metrics)).toEqual([
    'setpoint_git_fetched_bytes_total{repository="https://h/r"} 1024',
    'setpoint_git_fetches_total{repository="https://h/r",type="first"} 1',
    'setpoint_git_fetches_total{repository="https://h/r",type="incremental"} 1',
    'setpoint_git_listings_total{repository="https://h/r"} 2',
    'setpoint_parsed_files_total 7',
    'setpoint_renders_total{kind="directory"} 1',
    'setpoint_renders_total{kind="helm"} 2',
    'setpoint_sync_total{result="held"} 2',
    'setpoint_webhook_requests_total{receiver="push",result="accepted"} 1',
  ]);
});

const web: AppSample = {
  ...{ namespace: 'shop', app: 'web', status: 'OutOfSync', cause: 'live-changed', mode: 'alert', repository: 'https://h/r' },
  ...{ driftedSince: new Date(60_000), drifted: 2, checkedAt: new Date(90_000) },
};

const nobodyTold = { alerts: () => Promise.resolve([]), destinations: () => [] };

test('applications are shown as they are when somebody asks, and leave nothing behind', async () => {
  const metrics = createMetrics();
  let apps: readonly AppSample[] = [web];
  metrics.sample({ apps: () => apps, queues: () => Promise.resolve([{ queue: 'looks', waiting: 3, oldestMs: 500 }]), ...nobodyTold, isLeader: () => true, now: () => new Date(100_000) });
  expect(await samples(metrics)).toEqual([
    'setpoint_app_info{namespace="shop",app="web",mode="alert",repository="https://h/r"} 1',
    'setpoint_app_observation_age_seconds{namespace="shop",app="web"} 10',
    'setpoint_app_sync_status{namespace="shop",app="web",status="OutOfSync"} 1',
    'setpoint_drift_active{namespace="shop",app="web",cause="live-changed"} 2',
    'setpoint_drift_since_timestamp_seconds{namespace="shop",app="web"} 60',
    'setpoint_last_successful_compare_timestamp_seconds{namespace="shop",app="web"} 90',
    'setpoint_leader 1',
    'setpoint_queue_depth{queue="looks"} 3',
    'setpoint_queue_oldest_job_seconds{queue="looks"} 0.5',
  ]);
  apps = [];
  expect((await samples(metrics)).filter((line) => line.includes('app='))).toEqual([]);
});

test('destinations are shown by what they were told, when they last took something, and since when they do not', async () => {
  const metrics = createMetrics();
  metrics.delivered('team', 'sent', 1500);
  metrics.delivered('team', 'failed');
  metrics.sample({
    ...{ apps: () => [], queues: () => Promise.resolve([]), isLeader: () => false, now: () => new Date(100_000) },
    alerts: () =>
      Promise.resolve([
        { destination: 'team', state: 'firing', count: 3 },
        { destination: 'team', state: 'waiting', count: 1 },
        { destination: 'pager', state: 'dead', count: 2 },
      ]),
    destinations: () => [
      { destination: 'team', lastSuccess: new Date(90_000), failingSince: undefined, isGone: false },
      { destination: 'pager', lastSuccess: undefined, failingSince: new Date(30_000), isGone: true },
    ],
  });
  expect(await samples(metrics)).toEqual([
    'setpoint_alert_dead_letters{destination="pager"} 2',
    'setpoint_alert_deliveries_total{destination="team",result="failed"} 1',
    'setpoint_alert_deliveries_total{destination="team",result="sent"} 1',
    'setpoint_alert_destination_failing_since_timestamp_seconds{destination="pager"} 30',
    'setpoint_alert_destination_gone{destination="pager"} 1',
    'setpoint_alert_last_success_timestamp_seconds{destination="team"} 90',
    'setpoint_alerts{destination="pager",state="dead"} 2',
    'setpoint_alerts{destination="team",state="firing"} 3',
    'setpoint_alerts{destination="team",state="waiting"} 1',
  ]);
  const text = await metrics.text();
  expect(text).toContain('setpoint_alert_dead_letters{destination="team"} 0');
  expect(text).toContain('setpoint_alert_delivery_duration_seconds_bucket{le="1"} 0');
  expect(text).toContain('setpoint_alert_delivery_duration_seconds_bucket{le="2.5"} 1');
});
