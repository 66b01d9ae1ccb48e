// What each kind of sender really sends, all the way to the applications. One agent hears them all; polls are an hour away.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderName } from '../../src/server/index.ts';
import { senders, type Sample, type Sender } from '../fixtures/webhooks/senders.ts';
import { startCli, type RunningCli } from '../support/cli.ts';
import { startForwardProxy, type ForwardProxy } from '../support/forward-proxy.ts';
import { freePort } from '../support/free-port.ts';
import type { Repository } from '../support/git-repository.ts';
import { startGitServer } from '../support/git-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();

/** The repository that the sample of each is about, as an Application may name it. */
const addresses: Readonly<Record<ProviderName, string>> = {
  github: 'http://github.com/acme/fleet',
  gitlab: 'http://git.example.com/platform/live/fleet.git',
  gitea: 'http://gitea.example.com/acme/fleet.git',
  forgejo: 'http://forge.example.com/acme/fleet',
  gogs: 'http://gogs.example.com/acme/fleet.git/',
  bitbucket: 'http://bitbucket.org/Acme/fleet.git',
  'bitbucket-server': 'http://bitbucket.example.com/scm/acme/fleet.git',
  'azure-devops': 'http://dev.azure.com/acme/Live%20Platform/_git/fleet',
  generic: 'http://git.example.com/acme/fleet',
};
const providerNames = Object.keys(addresses) as readonly ProviderName[];
const probe = { address: 'http://probe.example.com/acme/probe', id: 'probe', secret: 'token-of-the-probe' };

/** What an Application may follow in each of these repositories, and the references whose move concerns it. */
const followers: Readonly<Record<string, { readonly revision: string; readonly path: string; readonly concernedBy: readonly string[] }>> = {
  web: { revision: 'main', path: 'apps/web', concernedBy: ['refs/heads/main'] },
  api: { revision: 'main', path: 'apps/api', concernedBy: ['refs/heads/main'] },
  full: { revision: 'refs/heads/main', path: 'apps/web', concernedBy: ['refs/heads/main'] },
  head: { revision: 'HEAD', path: 'apps/web', concernedBy: ['refs/heads/main'] },
  tag: { revision: 'v7', path: 'apps/web', concernedBy: ['refs/tags/v7'] },
  release: { revision: 'release', path: 'apps/web', concernedBy: [] },
};

const idOf = ({ name }: Sender): string => name.replaceAll(' ', '-');
const files = (value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(['web', 'api'].map((name) => [`apps/${name}/c.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { value: "${value}" }\n`]));

let parts: AsyncDisposableStack;
let repositories: ReadonlyMap<string, Repository>;
let proxy: ForwardProxy;
let agent: RunningCli;
let hooks: string;
let posts = 0;

beforeAll(async () => {
  parts = new AsyncDisposableStack();
  const { name: namespace } = parts.use(await cluster.createNamespace());
  const server = parts.use(await startGitServer());
  const folder = parts.use(await tempFolder());
  const named = [...Object.entries(addresses), [probe.id, probe.address] as const];
  const bare = ([, address]: readonly [string, string]): string => address.replace(/(?:\.git)?\/?$/, '');
  proxy = parts.use(
    await startForwardProxy({
      route(url) {
        const [name = ''] = named.find((each) => url.startsWith(bare(each))) ?? [];
        return `${server.url(name)}/${/[^/]*(?:\/refs\?.*)?$/.exec(url)?.[0] ?? ''}`;
      },
    }),
  );
  repositories = new Map(await Promise.all(named.map(async ([name]) => [name, await server.createRepository(name)] as const)));
  await Promise.all([...repositories.values()].map((repository) => move(repository)));

  const application = (name: string, source: object): string =>
    JSON.stringify({ apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name }, spec: { source, destination: { namespace } } });
  const ofProviders = providerNames.flatMap((name) =>
    Object.entries(followers).map(([what, { revision, path }]) => application(`${name}.${what}`, { repoURL: addresses[name], targetRevision: revision, path })),
  );
  const ofProbe = application(probe.id, { repoURL: probe.address, targetRevision: 'main', path: 'apps/web' });
  await mkdir(join(folder.path, 'secrets'));
  const receiver = async ({ id, secret, ...rest }: { readonly id: string; readonly secret: string; readonly provider: ProviderName }): Promise<object> => {
    const secretFile = join(folder.path, 'secrets', id);
    await writeFile(secretFile, secret);
    return { id, secretFile, ...rest };
  };
  const receivers = await Promise.all([
    ...senders.map((sender) => receiver({ id: idOf(sender), provider: sender.provider, secret: sender.secrets[0], ...sender.settings })),
    receiver({ id: probe.id, provider: 'generic', secret: probe.secret }),
  ]);
  await writeFile(join(folder.path, 'apps.yaml'), [...ofProviders, ofProbe].join('\n---\n'));
  await writeFile(join(folder.path, 'config.yaml'), JSON.stringify({ receivers }));
  // Without the right to see definitions and webhooks of the cluster: what other tests make of those would have everything looked at.
  const kubeconfig = await cluster.restrictedUser(namespace, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }]);
  const listen = `127.0.0.1:${await freePort()}`;
  hooks = `http://${listen}/hooks`;
  agent = parts.use(
    startCli(
      [
        ...['run', '-f', join(folder.path, 'apps.yaml'), '--config', join(folder.path, 'config.yaml'), '--state', join(folder.path, 'state'), '--kubeconfig', kubeconfig],
        ...['--interval', '1h', '--sweep', '10h', '--listen-hooks', listen, '--listen-operations', 'none', '--log-level', 'debug'],
      ],
      { env: { http_proxy: `http://127.0.0.1:${proxy.port}`, no_proxy: '' } },
    ),
  );
  const all = ofProviders.length + 1;
  await waitFor(() => new Set(looks()).size === all, { what: `a look at each of the ${all} applications` });
  await waitFor(() => agent.output.stderr.includes('"message":"webhooks are received"'), { what: 'the receivers' });
  await settled();
  count();
}, 60_000);

afterAll(async () => parts.disposeAsync());

/** A commit on main and on another branch, and the tag moved to it: whoever looks again sees something new. */
async function move(repository: Repository): Promise<void> {
  moves += 1;
  const commit = await repository.commit(files(`${moves}`));
  await repository.git('branch', '--force', 'release', commit);
  await repository.git('tag', '--force', 'v7', commit);
}
let moves = 0;

/** The applications that were looked at, in order. */
function looks(): readonly string[] {
  const lines = agent.output.stderr.split('\n').filter((line) => line.includes('"message":"looked"'));
  return lines.map((line) => (JSON.parse(line) as { application: string }).application);
}

const listings = (): readonly string[] => proxy.requests.filter((line) => line.includes('/info/refs'));

async function post(id: string, { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string }): Promise<string> {
  const response = await fetch(`${hooks}/${id}`, { method: 'POST', headers, body });
  return `${response.status} ${((await response.json()) as { result: string }).result}`;
}

/** Hints are taken in turn: by the time that Git is asked about the probe, it was asked because of every hint before. */
async function settled(): Promise<void> {
  const asked = (): number => listings().filter(isOfProbe).length;
  const before = asked();
  const body = JSON.stringify({ repo: probe.address, ref: 'main' });
  expect(await post(probe.id, { headers: { authorization: `Bearer ${probe.secret}` }, body })).toBe('202 accepted');
  await waitFor(() => asked() > before, { what: 'Git to be asked about the probe' });
}

const isOfProbe = (line: string): boolean => line.includes(probe.address);

interface Happened {
  readonly looks: readonly string[];
  readonly listings: readonly string[];
}

const nothing: Happened = { looks: [], listings: [] };
let counted = { looks: 0, listings: 0 };

/** Everything that was not counted yet, but for the probe. */
function happened(): Happened {
  return { looks: looks().slice(counted.looks).toSorted(), listings: listings().slice(counted.listings).filter((line) => !isOfProbe(line)) };
}

function count(): void {
  counted = { looks: looks().length, listings: listings().length };
}

function signed(sender: Sender, sample?: Sample, changes: { readonly secret?: string } = {}): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  posts += 1;
  const id = `delivery-${posts}`;
  const own = sender.withId?.(id);
  const body = JSON.stringify({ ...(sample ?? sender.sample), ...(own !== undefined && { id }) });
  return { body, headers: sender.headers({ body, secret: changes.secret ?? sender.secrets[0], id, timestamp: Math.floor(Date.now() / 1000) }) };
}

describe.each(senders)('$name', (sender) => {
  const concerned = Object.entries(followers).filter(([, { concernedBy }]) => concernedBy.some((reference) => sender.references.includes(reference)));
  const listing = `GET ${addresses[sender.provider].replace(/\/$/, '')}/info/refs?service=git-upload-pack`;
  const idle = [...(sender.deletion === undefined ? [] : [{ body: sender.deletion }]), ...(sender.otherEvent === undefined ? [] : [sender.otherEvent])];
  const elsewhere = JSON.parse(JSON.stringify(sender.sample).replaceAll(/fleet/gi, 'elsewhere')) as Sample;

  async function postAll(id: string, events: readonly NonNullable<Sender['otherEvent']>[]): Promise<readonly string[]> {
    const results = [];
    for (const { headers, body: sample } of events) {
      const { body, headers: own } = signed(sender, sample);
      results.push(await post(id, { body, headers: { ...own, ...headers } }));
    }
    return results;
  }

  test('a push has Git asked and each application that follows what moved looked at, once, and no other; the rest does nothing', async () => {
    const id = idOf(sender);
    await move(repositories.get(sender.provider) as Repository);
    expect(await post(id, signed(sender, undefined, { secret: 'guessed' }))).toBe('401 unauthorized');
    expect(await post(id, signed(sender, elsewhere))).toBe('202 accepted');
    expect(await postAll(id, idle)).toEqual(idle.map(() => '200 ignored'));
    await settled();
    expect(happened()).toEqual(nothing);

    const push = signed(sender);
    const wanted = concerned.map(([what]) => `${sender.provider}.${what}`).toSorted();
    expect(await post(id, push)).toBe('202 accepted');
    await waitFor(() => wanted.every((each) => happened().looks.includes(each)), { what: `a look at ${wanted.join(', ')}` });
    const { looks: looked, listings: asked } = happened();
    expect(looked).toEqual(wanted);
    expect(new Set(asked)).toEqual(new Set([listing]));
    count();
    expect(await post(id, push)).toBe('200 duplicate');
    await settled();
    expect(happened()).toEqual(nothing);
  });
});

test('every kind of sender is among them', () => {
  expect(new Set(senders.map(({ provider }) => provider))).toEqual(new Set(providerNames));
});
