import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentScene } from '../support/agent-scene.ts';
import { startAlertSink, type SentRequest } from '../support/alert-sink.ts';
import { runCli } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { slackTexts } from '../support/slack-payload.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: registry.example.com/web:1 }] }
`;
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3';
const token = 'xoxb-canary-4711';
const ts = '1794826000.000100';

interface Alerts {
  readonly alerts?: readonly { readonly rule: string; readonly resolvedAt?: string; readonly deliveries: Readonly<Record<string, { readonly toldState?: string }>> }[];
}

function isSigned({ headers, body }: SentRequest): boolean {
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

test('a live edit reaches a signed webhook and Slack: what, who, since when; and its end replaces the message', async () => {
  await using at = await agentScene(cluster, ['web']);
  await using hook = await startAlertSink();
  await using slack = await startAlertSink({ status: 200, body: JSON.stringify({ ok: true, channel: 'C0123456789', ts }) });
  await at.repository.commit({ 'apps/web/d.yaml': deployment });
  await at.declare('web', { syncPolicy: { automated: {} } });
  await writeFile(join(at.folder, 'signing-secret'), secret);
  await writeFile(join(at.folder, 'slack-token'), token);
  const config = join(at.folder, 'alerts.yaml');
  await writeFile(
    config,
    JSON.stringify({
      clusterName: 'prod-eu',
      destinations: [
        { name: 'hook', type: 'webhook', url: `${hook.url}/drift`, secretFile: 'signing-secret' },
        { name: 'team', type: 'slack', tokenFile: 'slack-token', channel: '#drift', apiUrl: `${slack.url}/api` },
      ],
      alerts: { rules: [{ name: 'drift', for: '1s', groupWait: '0s', groupInterval: '1s', destinations: ['hook', 'team'] }], allowPrivate: ['127.0.0.1'] },
    }),
  );
  const operations = `127.0.0.1:${await freePort()}`;
  const agent = at.agent('--config', config, '--listen-operations', operations);
  await at.until('web', 'Synced');
  expect([hook.requests, slack.requests]).toEqual([[], []]);

  const before = new Date().toISOString();
  await cluster.kubectl(['scale', 'deployment', 'web', '-n', at.namespace, '--replicas=5']);
  const [[event], [message]] = [await hook.waitForRequests(1), await slack.waitForRequests(1)];
  const status = await at.until('web', 'OutOfSync live-changed');
  const since = status.episodes?.find(({ cause }) => cause === 'live-changed')?.openedAt ?? '';
  expect(since > before).toBe(true);

  expect(event?.path).toBe('/drift');
  expect(event?.json).toHaveProperty('id', event?.headers['webhook-id']);
  expect(event !== undefined && isSigned(event)).toBe(true);
  expect(event?.json).toMatchObject({
    specversion: '1.0',
    source: 'setpoint://prod-eu',
    id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
    type: 'dev.setpoint.drift.firing.v1',
    subject: `${at.namespace}/web`,
    data: {
      status: 'firing',
      cause: 'live-changed',
      rule: { name: 'drift', severity: 'warning' },
      episode: { id: expect.stringMatching(/^drf_[0-9a-f-]{36}$/), startedAt: since, endedAt: null },
      resources: [
        {
          ...{ kind: 'Deployment', namespace: at.namespace, name: 'web', since },
          fields: [{ path: '/spec/replicas', desired: 3, live: 5, actor: { manager: 'kubectl', subresource: 'scale' } }],
          patch: [{ op: 'replace', path: '/spec/replicas', value: 3 }],
        },
      ],
    },
  });
  expect(message?.path).toBe('/api/chat.postMessage');
  expect(message?.headers.authorization).toBe(`Bearer ${token}`);
  const text = slackTexts(message as SentRequest).join('\n');
  expect(text).toMatch(/spec\.replicas.*git 3 → live 5/);
  expect(text).toContain('kubectl');
  expect(text).toContain(since.slice(11, 16));

  const alertsOf = async (): Promise<NonNullable<Alerts['alerts']>> => ((await at.status('web')) as Alerts).alerts ?? [];
  const toldStates = async (): Promise<string> => (await alertsOf()).flatMap(({ deliveries }) => Object.values(deliveries).map(({ toldState }) => toldState)).join(' ');
  await waitFor(async () => (await toldStates()) === 'firing firing', { what: 'both deliveries in the status' });
  expect(await alertsOf()).toMatchObject([{ rule: 'drift', deliveries: { hook: { told: 1 }, team: { told: 1, ref: `C0123456789/${ts}` } } }]);
  const metrics = async (): Promise<string> => (await fetch(`http://${operations}/metrics`)).text();
  const firing = await metrics();
  for (const destination of ['hook', 'team']) {
    expect(firing).toContain(`setpoint_alerts{destination="${destination}",state="firing"} 1`);
    expect(firing).toContain(`setpoint_alert_deliveries_total{destination="${destination}",result="sent"} 1`);
    expect(firing).toMatch(new RegExp(`setpoint_alert_last_success_timestamp_seconds\\{destination="${destination}"\\} \\d`));
    expect(firing).toContain(`setpoint_alert_dead_letters{destination="${destination}"} 0`);
  }

  await cluster.kubectl(['scale', 'deployment', 'web', '-n', at.namespace, '--replicas=3']);
  const resolved = (await hook.waitForRequests(2))[1];
  expect(resolved?.json).toMatchObject({ type: 'dev.setpoint.drift.resolved.v1', data: { status: 'resolved', episode: { startedAt: since, endedAt: expect.any(String) } } });
  expect(resolved !== undefined && isSigned(resolved)).toBe(true);
  const [, update, reply] = await slack.waitForRequests(3);
  expect(update).toMatchObject({ path: '/api/chat.update', json: { channel: 'C0123456789', ts } });
  expect(reply).toMatchObject({ path: '/api/chat.postMessage', json: { channel: 'C0123456789', thread_ts: ts } });
  await waitFor(async () => (await toldStates()) === 'resolved resolved', { what: 'the end in the status' });
  expect(await metrics()).not.toContain('state="firing"');
  expect([hook.requests.length, slack.requests.length]).toEqual([2, 3]);
  expect(agent.output.stdout + agent.output.stderr + JSON.stringify(await at.status('web'))).not.toMatch(/4711|MDEyMzQ1/);
}, 120_000);

test('where nobody is told any more, nothing stays on record as firing or as not delivered', async () => {
  await using at = await agentScene(cluster, ['web']);
  await using hook = await startAlertSink();
  await at.declare('web');
  const config = join(at.folder, 'alerts.yaml');
  const rule = { name: 'drift', match: { cause: ['live-changed', 'both', 'git-ahead'] }, for: '0s', groupWait: '0s' };
  await writeFile(config, JSON.stringify({ destinations: [{ name: 'hook', type: 'webhook', url: hook.url }], alerts: { rules: [rule], allowPrivate: ['127.0.0.1'] } }));
  const first = at.agent('--config', config);
  await hook.waitForRequests(1);
  const told = async (): Promise<string> => (((await at.status('web')) as Alerts).alerts ?? []).map(({ resolvedAt, deliveries }) => `${resolvedAt === undefined ? 'fires' : 'over'} ${deliveries['hook']?.toldState}`).join();
  await waitFor(async () => (await told()) === 'fires firing', { what: 'the delivery in the status' });
  await first.stop();
  const undelivered = { type: 'AlertsNotDelivered', status: 'True', reason: 'DestinationFails', message: 'hook has not taken what was to be told', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const conditions = [...((await at.status('web')).conditions ?? []), undelivered];
  await cluster.kubectl(['patch', 'applications.setpoint.dev', 'web', '-n', at.namespace, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { conditions } })]);

  at.agent();
  await waitFor(async () => (await told()) === 'over firing', { what: 'the end of the alert' });
  const status = await at.status('web');
  expect(status.sync?.status).toBe('OutOfSync');
  expect(status.conditions?.map(({ type }) => type)).not.toContain('AlertsNotDelivered');
  expect(hook.requests).toHaveLength(1);
}, 120_000);

test('the example of alerts can be used as it is', async () => {
  const { code, stdout, stderr } = await runCli(['config', 'check', 'examples/alerts/config.yaml']);
  expect(stdout + stderr).toBe('examples/alerts/config.yaml can be used\n');
  expect(code).toBe(0);
});
