import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentScene, manifest, type AgentScene } from '../support/agent-scene.ts';
import { runCli, startCli, type CliResult } from '../support/cli.ts';
import { sharedCluster } from '../support/test-run/index.ts';

const cluster = sharedCluster();
const deadlineMs = 60_000;
const timeout = 180_000;

const place = ({ namespace }: AgentScene): readonly string[] => ['-n', namespace, '--kubeconfig', cluster.kubeconfig];
const setpoint = (at: AgentScene, ...args: readonly string[]): Promise<CliResult> => runCli([...args, ...place(at)]);
const hashIn = (text: string): string => /\bplan-[0-9a-f]{16}\b/.exec(text)?.[0] ?? 'no hash';

test('a sync by hand: what is printed first is what is done, to the end and healthy', { timeout }, async () => {
  await using at = await agentScene(cluster, ['web']);
  await at.declare('web');
  at.agent();
  await at.until('web', 'OutOfSync git-ahead', deadlineMs);

  const audit = await cluster.auditLog();
  const seen = await runCli(['sync', 'web', '--dry-run', '-n', at.namespace, '--kubeconfig', await at.kubeconfigOf('dry-runner')]);
  expect(seen).toMatchObject({ code: 0, stdout: expect.stringMatching(/^PHASE +WAVE +STEP +RESOURCE +WHY\nSync +0 +apply +ConfigMap \S+\/web +is not in the cluster\n1 to apply; plan-[0-9a-f]{16} at [0-9a-f]{7}\n$/) as string });
  const own = (await audit.events()).filter(({ impersonatedUser }) => impersonatedUser?.username === 'dry-runner');
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ verb, requestURI }) => !['get', 'list', 'watch'].includes(verb) && !requestURI.includes('dryRun=All'))).toEqual([]);
  expect(await at.live('web')).toBeUndefined();
  expect(await setpoint(at, 'diff', 'web', '--plan')).toMatchObject({ code: 1, stdout: seen.stdout });
  const plan = JSON.parse((await setpoint(at, 'diff', 'web', '--plan', '-o', 'json')).stdout) as { hash: string };
  expect(plan).toMatchObject({ hash: hashIn(seen.stdout), begins: 'manual', steps: [{ type: 'apply', phase: 'Sync', wave: 0 }] });

  const wrong = await setpoint(at, 'sync', 'web', '--approve', 'plan-0000000000000000', '--wait');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain(`another plan was approved than the one that is due now: it is ${plan.hash}\n`);
  expect(await at.live('web')).toBeUndefined();

  const done = await setpoint(at, 'sync', 'web', '--approve', plan.hash, '--wait');
  expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\/web was synced to [0-9a-f]{7}: 1 applied; Healthy\n$/) as string });
  expect(await at.live('web')).toBe('on');
  expect((await setpoint(at, 'status', 'web')).stdout).toMatch(/ {2}health {2}Healthy\n {2}sync {4}manual by \S+ to [0-9a-f]{7}, succeeded: 1 applied\n/);
  expect((await setpoint(at, 'history', 'web')).stdout).toMatch(/\bsync +git-ahead +1 applied at [0-9a-f]{7} +manual +sync 1\n/);
});

test('while it is paused a sync is refused with the reason; a name that is not there has its neighbour named', { timeout }, async () => {
  await using at = await agentScene(cluster, ['web']);
  await at.declare('web');
  at.agent();
  await at.until('web', 'OutOfSync git-ahead', deadlineMs);
  await setpoint(at, 'pause', 'web', '--reason', 'freeze');
  expect(await setpoint(at, 'sync', 'web')).toMatchObject({ code: 2, stdout: '', stderr: `setpoint: ${at.namespace}/web is not synced: paused: freeze\n` });
  expect((await setpoint(at, 'sync', 'web', '--dry-run')).stdout).toContain('nothing is done now: Paused: paused: freeze\n');
  expect(await at.live('web')).toBeUndefined();
  await setpoint(at, 'resume', 'web');

  expect(await setpoint(at, 'sync', 'wbe')).toMatchObject({ code: 2, stderr: expect.stringContaining(`did you mean ${at.namespace}/web?`) as string });
  expect(await setpoint(at, 'sync', 'web', '--resource', 'ConfigMap/wep')).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean ConfigMap/web?') as string });
  // The one that waited begins at once, perhaps before anybody sees that its turn has come.
  expect(await setpoint(at, 'terminate', 'web')).toMatchObject({ code: 0, stdout: `${at.namespace}/web has no sync under way\n` });
  expect(await setpoint(at, 'sync', 'web', '-o', 'json', '--wait')).toMatchObject({ code: 0, stdout: expect.stringContaining('"outcome": "succeeded"') as string });
});

test('some of it, then all of it, then back to the commit before', { timeout }, async () => {
  await using at = await agentScene(cluster, ['web']);
  const first = await at.repository.commit({ 'apps/web/d.yaml': manifest('second', 'on') });
  await at.declare('web');
  at.agent();
  await at.until('web', 'OutOfSync git-ahead', deadlineMs);

  const some = await setpoint(at, 'sync', 'web', '--resource', 'ConfigMap/second', '--wait');
  expect(some).toMatchObject({ code: 0, stdout: expect.stringContaining('1 applied') as string });
  expect([await at.live('second'), await at.live('web')]).toEqual(['on', undefined]);
  expect(await setpoint(at, 'sync', 'web', '--wait')).toMatchObject({ code: 0 });
  expect(await at.live('web')).toBe('on');

  expect(await setpoint(at, 'rollback', 'web')).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no earlier sync to go back to') as string });
  const second = await at.repository.commit({ 'apps/web/c.yaml': manifest('web', 'off') });
  await at.until('web', 'OutOfSync git-ahead', deadlineMs);
  expect(await setpoint(at, 'sync', 'web', '--wait')).toMatchObject({ code: 0, stdout: expect.stringContaining(`to ${second.slice(0, 7)}: 1 applied`) as string });
  expect(await at.live('web')).toBe('off');

  expect(await setpoint(at, 'rollback', 'web', '--wait')).toMatchObject({ code: 0, stdout: expect.stringContaining(`was synced to ${first.slice(0, 7)}: 1 applied`) as string });
  expect(await at.live('web')).toBe('on');
  expect(await setpoint(at, 'rollback', 'web', '99')).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no sync 99 on record') as string });
  expect(await setpoint(at, 'sync', 'web', '--revision', second.slice(0, 8))).toMatchObject({ code: 2, stderr: expect.stringContaining(`did you mean ${second}?`) as string });

  await at.declare('web', { syncPolicy: { automated: {} } });
  expect(await setpoint(at, 'rollback', 'web')).toMatchObject({ code: 2, stderr: expect.stringContaining('applies new commits by itself') as string });
});

const nowhere = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'stuck' },
  spec: { selector: { matchLabels: { app: 'stuck' } }, template: { metadata: { labels: { app: 'stuck' } }, spec: { nodeSelector: { there: 'is-none' }, containers: [{ name: 'app', image: 'registry.example.com/app:1' }] } } },
});

test('a sync that waits is told as it goes, runs out of time with 5, and is ended by hand', { timeout }, async () => {
  await using at = await agentScene(cluster, ['web']);
  await at.repository.commit({ 'apps/web/a.yaml': nowhere, 'apps/web/c.yaml': manifest('web', 'on').replace('metadata:', 'metadata:\n  annotations: { setpoint.dev/sync-wave: "1" }') });
  await at.declare('web');
  at.agent();
  await at.until('web', 'OutOfSync git-ahead', deadlineMs);
  const late = await setpoint(at, 'sync', 'web', '--wait', '--timeout', '6s');
  expect(late.code).toBe(5);
  expect(late.stderr).toMatch(/\d\d:\d\d:\d\d {2}Sync {2}apps\/Deployment \S+\/stuck {2}wait {2}Progressing/);
  expect(late.stderr).toMatch(/setpoint: \S+\/web: the sync goes on after 6s: .*stuck/);
  expect((await setpoint(at, 'status', 'web')).stdout).toMatch(/end it: setpoint terminate \S+\/web\n/);
  expect(await at.live('web')).toBeUndefined();

  const behind = await setpoint(at, 'sync', 'web', '--resource', 'ConfigMap/web', '--timeout', '2s');
  expect(behind).toMatchObject({ code: 5, stderr: expect.stringContaining('is not synced after 2s: it waits for the sync under way') as string });
  expect(await setpoint(at, 'terminate', 'web')).toMatchObject({ code: 0, stdout: expect.stringMatching(/\/web: the sync (?:was ended: 1 applied|is over, and another one has followed it)\n/) as string });
});

test('who may not write Applications gets 4, and an agent that is not there 5', { timeout }, async () => {
  await using at = await agentScene(cluster, ['web']);
  await at.declare('web');
  const reader = await cluster.restrictedUser(at.namespace, [{ apiGroups: ['setpoint.dev'], resources: ['applications'], verbs: ['get'] }]);
  expect(await runCli(['sync', 'web', '--kubeconfig', reader])).toMatchObject({ code: 4, stdout: '' });
  const alone = await setpoint(at, 'sync', 'web', '--timeout', '600ms');
  expect(alone).toMatchObject({ code: 5, stdout: '', stderr: expect.stringMatching(/is not synced after 600ms: the agent has not answered/) as string });
});

test('an agent that keeps its state in a folder is asked there', { timeout }, async () => {
  await using at = await agentScene(cluster, ['web']);
  const state = join(at.folder, 'kept');
  const source = ['--repo', at.repository.url, '--path', 'apps/web', '--namespace', at.namespace];
  await using agent = startCli(['run', ...source, '--state', state, '--kubeconfig', cluster.kubeconfig, '--listen-operations', 'none', '--interval', '10s']);
  await agent.saw(/OutOfSync \(git-ahead\)/);
  const name = (await runCli(['status', '--state', state, '-o', 'name'])).stdout.trim();
  expect(await runCli(['sync', name, '--state', state, '--dry-run'])).toMatchObject({ code: 2, stderr: expect.stringContaining('use setpoint diff -f FOLDER --plan') as string });
  expect(await runCli(['sync', name, '--state', state, '--wait'])).toMatchObject({ code: 0, stdout: expect.stringContaining('1 applied; Healthy') as string });
  expect(await at.live('web')).toBe('on');
});

test('the differences of an Application are shown without its agent, by its own rules, and nothing is written', { timeout }, async () => {
  await using at = await agentScene(cluster, ['web']);
  const diff = (...args: readonly string[]): Promise<CliResult> => setpoint(at, 'diff', 'web', ...args);
  await at.declare('web');
  expect(await diff()).toMatchObject({ code: 1, stdout: expect.stringMatching(/^- ConfigMap \S+\/web  is not in the cluster/) as string });
  await cluster.kubectl(['apply', '--server-side', '-n', at.namespace, '-f', '-'], manifest('web', 'on'));
  expect(await diff()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 in sync') as string });
  await at.edit('web', 'off');
  const audit = await cluster.auditLog();
  const seen = await runCli(['diff', `${at.namespace}/web`, '--show-managers', '--kubeconfig', await at.kubeconfigOf('dry-runner')]);
  expect(seen).toMatchObject({ code: 1, stdout: expect.stringMatching(/data\.mode .*by \S+/) as string });
  const own = (await audit.events()).filter(({ impersonatedUser }) => impersonatedUser?.username === 'dry-runner');
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ verb, requestURI }) => !['get', 'list', 'watch'].includes(verb) && !requestURI.includes('dryRun=All'))).toEqual([]);
  expect(await diff('-o', 'jsonpatch', '--exit-code=false')).toMatchObject({ code: 0, stdout: expect.stringContaining('"replace"') as string });

  const rules = join(at.folder, 'rules.yaml');
  await writeFile(rules, '[{ kind: ConfigMap, jsonPointers: [/data/mode] }]');
  expect(await diff('--ignore-rules', rules)).toMatchObject({ code: 0 });
  await cluster.kubectl(['patch', 'sp', 'web', '-n', at.namespace, '--type', 'merge', '-p', JSON.stringify({ spec: { ignoreDifferences: [{ kind: 'ConfigMap', jsonPointers: ['/data/mode'] }] } })]);
  expect(await diff('--show-ignored')).toMatchObject({ code: 0, stdout: expect.stringContaining('data.mode') as string });

  expect(await diff('--resource', 'ConfigMap/wep')).toMatchObject({ code: 2, stderr: expect.stringContaining('no manifest matches --resource ConfigMap/wep') as string });
  expect(await diff('--watch')).toMatchObject({ code: 2, stderr: expect.stringContaining('setpoint status web --watch') as string });
  expect(await diff('--values', 'prod.yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining('leave out --values') as string });
  expect(await setpoint(at, 'diff', 'wbe')).toMatchObject({ code: 2, stderr: expect.stringContaining(`did you mean ${at.namespace}/web?`) as string });
});

test('the plan of a folder of manifests is printed without any Application', { timeout }, async () => {
  await using at = await agentScene(cluster, []);
  const file = join(at.folder, 'a.yaml');
  await writeFile(file, `${manifest('a', 'on')}---\n${manifest('b', 'on').replace('metadata:', 'metadata:\n  annotations: { setpoint.dev/sync-wave: "-1" }')}`);
  const all = await setpoint(at, 'diff', '-f', file, '--plan');
  expect(all.code).toBe(1);
  expect(all.stdout).toMatch(/^PHASE .*\nSync +-1 +apply +ConfigMap \S+\/b .*\nSync +-1 +wait +ConfigMap \S+\/b .*\nSync +0 +apply +ConfigMap \S+\/a .*\n2 to apply; plan-[0-9a-f]{16}\n$/);
  const some = await setpoint(at, 'diff', '-f', file, '--plan', '--resource', 'ConfigMap/a', '--exit-code=false', '-o', 'json');
  expect(some.code).toBe(0);
  expect(JSON.parse(some.stdout)).toMatchObject({ steps: [{ type: 'hold', code: 'NotSelected' }, { type: 'apply' }], commit: null });
  expect(await at.live('a')).toBeUndefined();
  expect(await setpoint(at, 'diff', '-f', file, '--plan', '-o', 'unified')).toMatchObject({ code: 2, stdout: '' });
  expect(await setpoint(at, 'diff')).toMatchObject({ code: 2, stderr: expect.stringMatching(/setpoint diff web -n shop.* or .*setpoint diff -f/) as string });
});

test('what was asked of an Application is not done once more when it is made anew from its document, annotation and all', { timeout }, async () => {
  await using at = await agentScene(cluster, ['web']);
  await at.declare('web');
  at.agent();
  await at.until('web', 'OutOfSync git-ahead', deadlineMs);
  expect(await setpoint(at, 'sync', 'web', '--wait')).toMatchObject({ code: 0 });
  await at.repository.commit({ 'apps/web/c.yaml': manifest('web', 'off') });
  await at.refresh('web');
  await at.until('web', 'OutOfSync git-ahead', deadlineMs);

  const { metadata, ...rest } = await cluster.getJson<{ readonly metadata: Record<string, unknown> }>('sp', 'web', '-n', at.namespace);
  expect(metadata['annotations']).toHaveProperty(['setpoint.dev/sync']);
  await cluster.kubectl(['delete', 'sp', 'web', '-n', at.namespace]);
  await cluster.apply(JSON.stringify({ ...rest, metadata: { ...metadata, uid: undefined, resourceVersion: undefined, managedFields: undefined } }));
  await at.until('web', 'OutOfSync git-ahead', deadlineMs);
  await at.refresh('web');
  expect((await at.status('web')).history).toEqual([]);
  expect(await at.live('web')).toBe('on');
  expect(await setpoint(at, 'sync', 'web', '--wait')).toMatchObject({ code: 0 });
  expect(await at.live('web')).toBe('off');
});
