// What the process says of itself, to those who ask whether it works, and at its end.
import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { agentScene } from '../support/agent-scene.ts';
import { startCli, type RunningCli } from '../support/cli.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { freePort } from '../support/free-port.ts';
import { startGitServer } from '../support/git-server.ts';
import { startHttpSink } from '../support/http-sink.ts';
import { startRedis } from '../support/redis.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { kubeconfigVia, serverOf } from '../support/watched-cluster.ts';

const cluster = sharedCluster();

interface Stage extends AsyncDisposable {
  readonly namespace: string;
  readonly operations: string;
  readonly hooks: string;
  /** Once it listens. */
  agent(...args: readonly string[]): Promise<RunningCli>;
}

/** A repository with one ConfigMap, an empty namespace, and an agent that listens at both of its addresses. */
async function stage(): Promise<Stage> {
  const parts = new AsyncDisposableStack();
  const { name: namespace } = parts.use(await cluster.createNamespace());
  const server = parts.use(await startGitServer());
  const folder = parts.use(await tempFolder());
  const repository = await server.createRepository('fleet');
  await repository.commit({ 'web/env.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: env }\n' });
  await writeFile(join(folder.path, 'secret'), 'a secret of this test');
  const config = join(folder.path, 'config.yaml');
  await writeFile(config, 'receivers:\n  - { id: push, provider: generic, secretFile: secret }\n');
  const [operations, hooks] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  return {
    namespace,
    operations: `http://${operations}`,
    hooks: `http://${hooks}/hooks/push`,
    async agent(...args) {
      const agent = parts.use(
        startCli([
          ...['run', '--repo', repository.url, '--path', 'web', '--interval', '1h', '--state', join(folder.path, 'state'), '-n', namespace, '--kubeconfig', cluster.kubeconfig],
          ...['--config', config, '--listen-operations', operations, '--listen-hooks', hooks, ...args],
        ]),
      );
      await waitFor(() => agent.output.stderr.includes('health and metrics are served'), { what: 'the agent to listen' });
      return agent;
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const get = async (url: string): Promise<{ readonly status: number; readonly text: string }> => {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
};

/** What it is answered with, if at all. */
const kick = (url: string): Promise<number | 'refused'> =>
  fetch(url, { method: 'POST', headers: { authorization: 'Bearer none' } }).then(
    ({ status }) => status,
    () => 'refused',
  );

describe('asked to stop in the middle of a write, an agent', () => {
  /** The agent, with its one write waiting at the server until it is let through. */
  async function inTheMiddle(at: Stage, parts: AsyncDisposableStack): Promise<{ readonly agent: RunningCli; readonly letThrough: () => void }> {
    const [written, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    parts.defer(() => release.resolve());
    parts.use(
      await startAdmissionWebhook(cluster, {
        ...{ type: 'validating', namespace: at.namespace, rules: [{ apiGroups: [''], resources: ['configmaps'] }], timeoutSeconds: 30 },
        async answer({ dryRun, object }) {
          if (!dryRun && object.metadata.name === 'env') {
            written.resolve();
            await release.promise;
          }
          return { type: 'allow' };
        },
      }),
    );
    const agent = await at.agent('--mode', 'auto');
    await written.promise;
    return { agent, letThrough: release.resolve };
  }

  test('is not ready until the very end and says why, takes no webhook any more, and ends with 0 when the write is done', async () => {
    await using at = await stage();
    await using parts = new AsyncDisposableStack();
    const { agent, letThrough } = await inTheMiddle(at, parts);
    expect(await kick(at.hooks)).toBe(401);
    agent.signal('SIGTERM');
    await waitFor(() => agent.output.stderr.includes('agent is stopping'), { what: 'the agent to hear it' });
    expect(await kick(at.hooks)).toBe('refused');
    const ready = await get(`${at.operations}/readyz`);
    expect(ready.status).toBe(503);
    expect(JSON.parse(ready.text)).toEqual({ status: 'failing', reasons: [{ check: 'agent', reason: 'the agent is stopping' }] });
    expect(await get(`${at.operations}/healthz`)).toMatchObject({ status: 200 });
    expect((await get(`${at.operations}/metrics`)).text).toContain('setpoint_app_info');
    letThrough();
    expect(await agent.ended).toBe(0);
    expect(await cluster.kubectl(['get', 'configmap', 'env', '-n', at.namespace, '-o', 'name'])).toBe('configmap/env\n');
    expect(await get(`${at.operations}/readyz`).catch(() => 'refused')).toBe('refused');
  });

  test('ends at once when it is asked a second time', async () => {
    await using at = await stage();
    await using parts = new AsyncDisposableStack();
    const { agent } = await inTheMiddle(at, parts);
    agent.signal('SIGTERM');
    await waitFor(() => agent.output.stderr.includes('agent is stopping'), { what: 'the agent to hear it' });
    expect(await agent.stop('SIGTERM')).toBe(130);
  });
});

test('an agent whose cluster is out of reach when it starts is well, says what it waits for, and begins when the cluster is there', async () => {
  await using at = await agentScene(cluster, ['web']);
  await at.declare('web');
  const { hostname, port } = await serverOf(cluster);
  await using proxy = await startFaultProxy({ host: hostname, port: Number(port) });
  await proxy.refuse();
  const { agent, operations, hooks } = await at.served('--kubeconfig', await kubeconfigVia(cluster, proxy.port));
  await waitFor(() => agent.output.stderr.includes('the agent cannot start yet'), { what: 'the agent to wait' });
  expect(await get(`${operations}/healthz`)).toEqual({ status: 200, text: '{"status":"ok","reasons":[]}\n' });
  const ready = await get(`${operations}/readyz`);
  expect(ready.status).toBe(503);
  expect(JSON.parse(ready.text)).toEqual({ status: 'failing', reasons: [{ check: 'agent', reason: 'the agent has not started yet: its log says what it waits for' }] });
  expect((await get(`${operations}/metrics`)).text).toMatch(/^setpoint_leader 0$/m);
  const push = JSON.stringify({ ref: 'refs/heads/main', after: 'a'.repeat(40), repository: { clone_url: at.repository.url } });
  const headers = { 'content-type': 'application/json', 'x-github-event': 'push', 'x-github-delivery': 'one', 'x-hub-signature-256': `sha256=${createHmac('sha256', 'a secret of this test').update(push).digest('hex')}` };
  expect((await fetch(`${hooks}/hooks/push`, { method: 'POST', headers, body: push })).status).toBe(503);
  await proxy.accept();
  await waitFor(async () => (await get(`${operations}/readyz`)).status === 200, { what: 'the agent to be ready' });
  await at.until('web', 'OutOfSync git-ahead');
});

test('while Redis is away the agent is well, ready, and its metrics are shown', async () => {
  await using at = await stage();
  await using sink = await startHttpSink();
  await using redis = await startRedis();
  await redis.stop();
  await at.agent('--notify-webhook', sink.url, '--redis', redis.url);
  await waitFor(async () => (await get(`${at.operations}/readyz`)).status === 200, { what: 'the agent to be ready' });
  expect(await get(`${at.operations}/healthz`)).toEqual({ status: 200, text: '{"status":"ok","reasons":[]}\n' });
  const { status, text } = await get(`${at.operations}/metrics`);
  expect(status).toBe(200);
  expect(text).toMatch(/^setpoint_app_sync_status\{.*status="OutOfSync".*\} 1$/m);
  expect(text).toMatch(/^setpoint_queue_depth\{queue="looks"\} 0$/m);
});
