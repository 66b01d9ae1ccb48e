// examples/alerts as it is, but for where the destinations are, where their secrets lie, and how long a minute is.
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { agentScene, manifest } from '../support/agent-scene.ts';
import { startAlertSink, type AlertSink } from '../support/alert-sink.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
const example = join(import.meta.dirname, '..', '..', 'examples', 'alerts', 'config.yaml');

interface Example {
  readonly destinations: readonly { readonly name: string; readonly type: string }[];
  readonly alerts: { readonly rules: readonly { readonly name: string; readonly for: string; readonly groupInterval?: string }[]; readonly allowPrivate: readonly string[] };
}

const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'shop' },
  spec: { replicas: 1, selector: { matchLabels: { app: 'shop' } }, template: { metadata: { labels: { app: 'shop' } }, spec: { containers: [{ name: 'shop', image: 'registry.example.com/shop:1' }] } } },
});

/** Minutes become seconds, so that five of them still come after one. */
const quick = (time: string): string => time.replace('m', 's');

test('each rule of the example tells those whom it names, and nobody else', { timeout: 180_000 }, async () => {
  await using at = await agentScene(cluster, ['web', 'shop']);
  const production = `prod-${randomBytes(4).toString('hex')}`;
  await cluster.kubectl(['create', 'namespace', production]);
  await using made = new AsyncDisposableStack();
  made.defer(async () => void (await cluster.kubectl(['delete', 'namespace', production, '--wait=false'])));
  await using slack = await startAlertSink({ status: 200, body: JSON.stringify({ ok: true, channel: 'C0123456789', ts: '1794826000.000100' }) });
  await using pager = await startAlertSink({ status: 202, body: JSON.stringify({ status: 'success' }) });
  await using audit = await startAlertSink();
  const places: Readonly<Record<string, object>> = {
    team: { apiUrl: `${slack.url}/api`, tokenFile: 'secret' },
    oncall: { apiUrl: pager.url, routingKeyFile: 'secret' },
    audit: { url: `${audit.url}/drift`, secretFiles: ['secret'] },
  };
  const { destinations, alerts } = parse(await readFile(example, 'utf8')) as Example;
  expect(destinations.map(({ name }) => name)).toEqual(Object.keys(places));
  const rules = alerts.rules.map((rule) => ({ groupWait: '0s', ...rule, for: quick(rule.for), groupInterval: '1s' }));
  const config = join(at.folder, 'alerts.yaml');
  await writeFile(join(at.folder, 'secret'), 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3');
  await writeFile(config, JSON.stringify({ destinations: destinations.map((each) => ({ ...each, ...places[each.name] })), alerts: { ...alerts, rules, allowPrivate: ['127.0.0.1'] } }));

  await at.repository.commit({ 'apps/shop/c.yaml': null, 'apps/shop/shop.json': deployment });
  await cluster.kubectl(['apply', '--server-side', '-n', at.namespace, '-f', '-'], manifest('web', 'on'));
  await cluster.kubectl(['apply', '--server-side', '-n', production, '-f', '-'], deployment);
  await at.declare('web');
  await at.declare('shop', { destination: { namespace: production } });
  at.agent('--config', config);
  for (const name of ['web', 'shop']) await at.until(name, 'Synced', 60_000);

  // Some name the Application, and some only what differs.
  const isAbout = (body: string, name: string): boolean => [at.namespace, production].some((namespace) => body.includes(`${namespace}/${name}`));
  const appsTold = (sink: AlertSink): readonly string[] => ['web', 'shop'].filter((name) => sink.requests.some(({ body }) => isAbout(body, name)));
  await at.edit('web', 'off');
  await waitFor(() => appsTold(slack).includes('web') || undefined, { what: 'the team to be told of the ConfigMap', deadlineMs: 60_000 });
  expect([appsTold(audit), appsTold(pager)]).toEqual([['web'], []]);
  await cluster.kubectl(['scale', 'deployment', 'shop', '-n', production, '--replicas=3']);
  await waitFor(() => appsTold(pager).includes('shop') || undefined, { what: 'the one on call to be told of the Deployment', deadlineMs: 60_000 });
  await waitFor(() => appsTold(slack).length === 2 || undefined, { what: 'the team to be told of the Deployment', deadlineMs: 60_000 });
  expect([appsTold(audit), appsTold(pager)]).toEqual([['web', 'shop'], ['shop']]);
  expect(pager.requests.map(({ json }) => json)).toEqual(expect.arrayContaining([expect.objectContaining({ event_action: 'trigger', payload: expect.objectContaining({ severity: 'critical' }) as object })]));
});
