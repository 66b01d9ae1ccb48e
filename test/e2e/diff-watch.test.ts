import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseJson, type JsonObject } from '../../src/model/index.ts';
import { isTimeOf, timed } from '../support/action-time.ts';
import { startCli, type RunningCli } from '../support/cli.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { checkAgainst } from '../support/json-schema.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { kubeconfigVia, serverOf } from '../support/watched-cluster.ts';

const cluster = sharedCluster();
const bin = join(import.meta.dirname, '..', '..', 'bin', 'setpoint.js');
const schema = parseJson(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'diff-report.schema.json'), 'utf8')) as JsonObject;

const configMap = (name: string, mode: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { mode: "${mode}" }\n`;

interface Scene extends AsyncDisposable {
  readonly namespace: string;
  readonly folder: string;
  /** A file of manifests, or its end with null. */
  write(name: string, content: string | null): Promise<void>;
  watch(...args: string[]): RunningCli;
  patch(name: string, mode: string): Promise<unknown>;
  apply(manifests: string): Promise<unknown>;
}

/** A folder with one ConfigMap, which is live and ours, and `diff --watch` between the two. */
async function stage(): Promise<Scene> {
  const parts = new AsyncDisposableStack();
  const { name: namespace } = parts.use(await cluster.createNamespace());
  const { path: folder } = parts.use(await tempFolder());
  const apply = (manifests: string): Promise<unknown> =>
    cluster.kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager', 'setpoint', '-n', namespace, '-f', '-'], manifests);
  const write = (name: string, content: string | null): Promise<void> => (content === null ? rm(join(folder, name)) : writeFile(join(folder, name), content));
  await write('env.yaml', configMap('env', 'on'));
  await apply(configMap('env', 'on'));
  return {
    namespace,
    folder,
    write,
    apply,
    watch: (...args) => parts.use(startCli(['diff', '--watch', '-f', folder, '-n', namespace, '--kubeconfig', cluster.kubeconfig, ...args])),
    patch: (name, mode) => cluster.kubectl(['patch', 'configmap', name, '-n', namespace, '--type=merge', '-p', JSON.stringify({ data: { mode } })]),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Waits for something in what is printed after this call. */
function newsOf(watch: RunningCli): (pattern: RegExp) => Promise<string> {
  const from = watch.output.stdout.length;
  return (pattern) => watch.saw(pattern, from);
}

describe('what happens in the cluster', () => {
  test('a live edit is printed with its writer and its time, and its end as in sync again', async () => {
    await using scene = await stage();
    const watch = scene.watch();
    await watch.saw(/^1 in sync {2}\(context /);
    const edit = await timed(() => scene.patch('env', 'by hand'));
    const news = await watch.saw(/\d\d:\d\d:\d\d\n~ ConfigMap \S+\/env {2}\S+\n {4}data\.mode {2}by kubectl-patch at (\S+)\n {6}- by hand\n {6}\+ "on"\n/);
    const [, time = ''] = /kubectl-patch at (\S+)/.exec(news) ?? [];
    expect(isTimeOf(time, edit), `${time} for an edit from ${edit.from.toISOString()} to ${edit.to.toISOString()}`).toBe(true);
    await scene.apply(configMap('env', 'on'));
    await watch.saw(/\n\d\d:\d\d:\d\d\n= ConfigMap \S+\/env {2}in sync again\n$/);
  });

  test('an object that is deleted is missing, and is in sync again when it is back', async () => {
    await using scene = await stage();
    const watch = scene.watch();
    await watch.saw(/^1 in sync/);
    await cluster.kubectl(['delete', 'configmap', 'env', '-n', scene.namespace]);
    await watch.saw(/\n- ConfigMap \S+\/env {2}is not in the cluster/);
    await scene.apply(configMap('env', 'on'));
    await watch.saw(/\n= ConfigMap \S+\/env {2}in sync again\n/);
  });

  test('a field that is added by hand is printed, and is no difference', async () => {
    await using scene = await stage();
    const watch = scene.watch();
    await watch.saw(/^1 in sync/);
    await cluster.kubectl(['label', 'configmap', 'env', 'touched=yes', '-n', scene.namespace]);
    await watch.saw(/\n\* ConfigMap \S+\/env {2}in sync, with fields added by hand.*\n {4}metadata\.labels {2}by kubectl-label at \S+Z\n/);
  });

  test('what does not concern the manifests is not printed', async () => {
    await using scene = await stage();
    const watch = scene.watch();
    const first = await watch.saw(/^1 in sync.*\n/);
    await scene.apply(configMap('other', 'on'));
    await cluster.kubectl(['annotate', 'configmap', 'env', 'kubectl.kubernetes.io/last-applied-configuration={}', '-n', scene.namespace]);
    await scene.patch('env', 'last');
    await watch.saw(/- last\n.*\+ "on"\n\n/);
    expect(watch.output.stdout.slice(first.length)).toMatch(/^\d\d:\d\d:\d\d\n~ ConfigMap \S+\/env.*\n.*data\.mode.*\n.*- last\n.*\+ "on"\n\n$/);
  });
});

describe('what happens in the files', () => {
  test('a changed file is printed as what Git wants', async () => {
    await using scene = await stage();
    const watch = scene.watch();
    await watch.saw(/^1 in sync/);
    await scene.write('env.yaml', configMap('env', 'off'));
    await watch.saw(/\n~ ConfigMap \S+\/env.*\n {4}data\.mode {2}.*\n {6}- "on"\n {6}\+ "off"\n/);
    await scene.write('env.yaml', configMap('env', 'on'));
    await watch.saw(/\n= ConfigMap \S+\/env {2}in sync again\n/);
  });

  test('a file that is added is printed', async () => {
    await using scene = await stage();
    const watch = scene.watch();
    await watch.saw(/^1 in sync/);
    await scene.write('more.yaml', configMap('more', 'on'));
    await watch.saw(/\n- ConfigMap \S+\/more {2}is not in the cluster/);
  });

  test('an object that is new in the files, and live already, is not in sync “again”', async () => {
    await using scene = await stage();
    const watch = scene.watch();
    await watch.saw(/^1 in sync/);
    await scene.apply(configMap('more', 'on'));
    await scene.write('more.yaml', configMap('more', 'on'));
    await watch.saw(/\n= ConfigMap \S+\/more {2}in sync\n/);
  });

  test('an object that the files no longer have is told to be so', async () => {
    await using scene = await stage();
    await scene.write('more.yaml', configMap('more', 'on'));
    const watch = scene.watch();
    await watch.saw(/1 missing, 1 in sync/);
    await scene.write('more.yaml', null);
    await watch.saw(/\n\d\d:\d\d:\d\d\n.*ConfigMap \S+\/more {2}.*no longer/);
  });

  test('a file that cannot be read any more is said to be so, while the rest is watched', async () => {
    await using scene = await stage();
    await scene.write('more.yaml', configMap('more', 'on'));
    await scene.apply(configMap('more', 'on'));
    const watch = scene.watch();
    await watch.saw(/^2 in sync/);
    await scene.write('more.yaml', 'a: [\n');
    await watch.saw(/\n! \S*more\.yaml#1 {2}error: /);
    await scene.patch('env', 'by hand');
    await watch.saw(/\n~ ConfigMap \S+\/env/);
  });
});

describe('a kind that comes later', () => {
  const definition = (group: string): string =>
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `widgets.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } } } },
        ],
      },
    });
  const widget = (group: string): string => JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 3 } });

  test.each([
    ['its definition is not among the files', false, /! \S*Widget \S+\/w {2}.*does not serve kind Widget in \S+\/v1/, /\n- \S*Widget \S+\/w {2}is not in the cluster {2}\S+\n/],
    ['its definition is among the files', true, /- \S*Widget \S+\/w {2}is not in the cluster; waits for /, /\n= \S*CustomResourceDefinition \S+ {2}in sync again\n/],
  ])('is compared without a restart (%s)', async (_name, isDeclared, before, after) => {
    await using scene = await stage();
    const group = `${scene.namespace}.example.com`;
    await scene.write('widget.json', widget(group));
    if (isDeclared) await scene.write('definition.json', definition(group));
    try {
      const watch = scene.watch();
      await watch.saw(before);
      await cluster.kubectl(['apply', '--server-side', '--field-manager', 'setpoint', '-f', '-'], definition(group));
      await watch.saw(after);
      await cluster.kubectl(['wait', '--for=condition=Established', `crd/widgets.${group}`, '--timeout=50s']);
      await scene.apply(widget(group));
      await watch.saw(/\n= \S*Widget \S+\/w {2}in sync again\n/);
      await cluster.kubectl(['patch', `widgets.${group}`, 'w', '-n', scene.namespace, '--type=merge', '-p', '{"spec":{"size":4}}']);
      await watch.saw(/\n~ \S*Widget \S+\/w.*\n {4}spec\.size {2}by kubectl-patch at \S+Z\n {6}- 4\n {6}\+ 3\n/);
    } finally {
      await cluster.kubectl(['delete', 'crd', `widgets.${group}`, '--ignore-not-found', '--wait=false']);
    }
  });
});

describe('an API server that is out of reach', () => {
  test('for a while: what happened meanwhile is told with the times between which it was', async () => {
    await using scene = await stage();
    const { hostname, port } = await serverOf(cluster);
    await using proxy = await startFaultProxy({ host: hostname, port: Number(port) });
    const watch = scene.watch('--kubeconfig', await kubeconfigVia(cluster, proxy.port));
    await watch.saw(/^1 in sync/);
    await proxy.refuse();
    const edit = await timed(() => scene.patch('env', 'by hand'));
    await proxy.accept();
    const news = await watch.saw(/data\.mode {2}by kubectl-patch between (\S+) and (\S+)\n {6}- by hand\n/);
    const [, notBefore = '', seenAt = ''] = /between (\S+) and (\S+)\n/.exec(news) ?? [];
    expect(Date.parse(notBefore)).toBeLessThanOrEqual(edit.from.getTime());
    expect(Date.parse(seenAt)).toBeGreaterThanOrEqual(Math.floor(edit.from.getTime() / 1000) * 1000);
    // And from then on exactly again.
    await scene.apply(configMap('env', 'on'));
    await watch.saw(/in sync again/);
    expect(watch.output.stderr).not.toContain('Error');
  });

  test('in the middle of everything: connections that are cut again and again lose no edit', async () => {
    await using scene = await stage();
    const { hostname, port } = await serverOf(cluster);
    await using proxy = await startFaultProxy({ host: hostname, port: Number(port) });
    const watch = scene.watch('--kubeconfig', await kubeconfigVia(cluster, proxy.port));
    await watch.saw(/^1 in sync/);
    for (const mode of ['one', 'two', 'three']) {
      for (const connection of proxy.connections) connection.reset();
      await scene.patch('env', mode);
      await watch.saw(new RegExp(`data\\.mode.*\\n {6}- ${mode}\\n`));
    }
  });

  test('at the start: it waits, says so, and begins when the server is there', async () => {
    await using scene = await stage();
    const { hostname, port } = await serverOf(cluster);
    await using proxy = await startFaultProxy({ host: hostname, port: Number(port) });
    await proxy.refuse();
    const watch = scene.watch('--kubeconfig', await kubeconfigVia(cluster, proxy.port));
    await waitFor(() => watch.output.stderr.includes('cannot be reached'), { what: 'the warning' });
    await proxy.accept();
    await watch.saw(/^1 in sync/);
  });
});

describe('its end', () => {
  test('SIGINT ends it with 130', async () => {
    await using scene = await stage();
    const watch = scene.watch();
    await watch.saw(/^1 in sync/);
    expect(await watch.stop('SIGINT')).toBe(130);
    expect(watch.output.stderr).toBe('');
  });

  test('a pattern that matches no manifest is an error, also when watching', async () => {
    await using scene = await stage();
    const watch = scene.watch('--resource', 'ConfigMap/nope');
    expect(await watch.ended).toBe(2);
    expect(watch.output.stderr).toBe('setpoint: no manifest matches --resource ConfigMap/nope\n');
  });

  test('credentials that the cluster does not accept end it with 4', async () => {
    await using scene = await stage();
    const config = JSON.parse(await cluster.kubectl(['config', 'view', '--raw', '--minify', '-o', 'json'])) as { users: { user: object }[] };
    for (const entry of config.users) entry.user = { token: 'expired' };
    await using folder = await tempFolder();
    await writeFile(join(folder.path, 'config'), JSON.stringify(config));
    const watch = scene.watch('--kubeconfig', join(folder.path, 'config'));
    expect(await watch.ended).toBe(4);
    expect(watch.output.stderr).toMatch(/^setpoint: the cluster does not accept these credentials.*\n$/);
  });

  test('a reader that goes away (| head) ends it at the next line, with the code of the last look', async () => {
    await using scene = await stage();
    await scene.patch('env', 'by hand');
    const command = `"$0" "$1" diff --watch -f "$2" -n "$3" --kubeconfig "$4" -o name | head -n 1; echo "code \${PIPESTATUS[0]}"`;
    const child = spawn('bash', ['-c', command, process.execPath, bin, scene.folder, scene.namespace, cluster.kubeconfig], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
      detached: true,
    });
    const [output, errors] = [text(child.stdout), text(child.stderr)];
    const lines: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
    const closed = once(child, 'close');
    try {
      await waitFor(() => lines.join('').includes('\n'), { what: 'the first line' });
      for (let edits = 0; child.exitCode === null && edits < 5; edits++) {
        await scene.patch('env', `by hand ${edits}`);
        await waitFor(() => child.exitCode !== null, { what: 'the end of the pipeline', deadlineMs: 2000 }).catch(() => undefined);
      }
      expect(child.exitCode, 'the pipeline has ended').toBe(0);
      expect(await output).toBe(`/ConfigMap/${scene.namespace}/env\ncode 1\n`);
      expect(await errors).toBe('');
    } finally {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await closed;
    }
  });
});

describe('formats for scripts', () => {
  const reports = (stdout: string): readonly JsonObject[] => stdout.split(/(?<=^\}\n)/m).map((part) => parseJson(part) as JsonObject);

  test('-o json is a sequence of reports, each as its schema says, of what has changed', async () => {
    await using scene = await stage();
    const watch = scene.watch('-o', 'json');
    await watch.saw(/^\}\n/m);
    const drift = newsOf(watch);
    await scene.patch('env', 'by hand');
    await drift(/^\}\n/m);
    const heal = newsOf(watch);
    await scene.apply(configMap('env', 'on'));
    await heal(/^\}\n/m);
    const all = reports(watch.output.stdout);
    expect(all.flatMap((report) => checkAgainst(schema).errors(report))).toEqual([]);
    expect(all).toMatchObject([
      { summary: { same: 1 }, resources: [{ type: 'same', name: 'env' }] },
      { summary: { changed: 1 }, resources: [{ type: 'changed', changes: [{ display: 'data.mode', live: 'by hand', seen: { writers: [{ manager: 'kubectl-patch' }] } }] }] },
      { summary: { same: 1 }, resources: [{ type: 'same', name: 'env' }] },
    ]);
    expect(new Set(all.map(({ context }) => context)).size, 'each names the cluster').toBe(1);
  });

  test('-o yaml is a stream of documents', async () => {
    await using scene = await stage();
    const watch = scene.watch('-o', 'yaml');
    await watch.saw(/kind: DiffReport[^]*\nfindings: .*\n/);
    const news = newsOf(watch);
    await scene.patch('env', 'by hand');
    await news(/kind: DiffReport[^]*\nfindings: .*\n/);
    const documents = parseAllDocuments(watch.output.stdout, { version: '1.1' });
    expect(Array.from(documents, ({ errors }) => errors).flat()).toEqual([]);
    expect(Array.from(documents, (document) => document.toJS() as unknown)).toMatchObject([{ summary: { same: 1 } }, { summary: { changed: 1 } }]);
  });

  test('-o name names what has become different, and what could not be compared goes to stderr', async () => {
    await using scene = await stage();
    const watch = scene.watch('-o', 'name');
    await scene.write('more.yaml', configMap('more', 'on'));
    await watch.saw(new RegExp(`^/ConfigMap/${scene.namespace}/more\\n`));
    await scene.patch('env', 'by hand');
    await watch.saw(new RegExp(`\\n/ConfigMap/${scene.namespace}/env\\n$`));
    await scene.write('widget.json', JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }));
    await waitFor(() => watch.output.stderr.includes('does not serve kind Widget'), { what: 'the trouble on stderr' });
  });
});
