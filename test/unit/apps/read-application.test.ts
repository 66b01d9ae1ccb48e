import { describe, expect, test } from 'vitest';
import { readApplication, type ReadApplication } from '../../../src/apps/read-application.ts';
import type { ApplicationSpec, Json, JsonObject } from '../../../src/model/index.ts';

const source = { repoURL: 'https://git.example.com/fleet', path: 'web' };

function document(spec: Json, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name: 'shop', namespace: 'team-a', ...metadata }, spec };
}

function specOf(read: ReadApplication): ApplicationSpec {
  if (read.type === 'invalid') throw new Error(read.messages.join('\n'));
  return read.spec;
}

const spec = (fields: JsonObject, metadata?: JsonObject): ApplicationSpec => specOf(readApplication(document({ source, ...fields }, metadata)));
const mistakes = (fields: Json, metadata?: JsonObject): readonly string[] => {
  const read = readApplication(document(fields, metadata));
  return read.type === 'invalid' ? read.messages : [];
};

test('an Application that says only where its objects come from is watched and nothing else', () => {
  expect(spec({})).toEqual({
    id: 'team-a/shop',
    namespace: 'team-a',
    name: 'shop',
    uid: undefined,
    generation: undefined,
    labels: {},
    sources: [{ repository: 'https://git.example.com/fleet', revision: 'HEAD', path: 'web', ref: undefined, options: {} }],
    destination: { namespace: undefined },
    policy: { deploy: 'manual', drift: 'Alert', foreignFields: 'Report', prune: false },
    ignoreRules: [],
    retry: { durationMs: undefined, factor: undefined, maxDurationMs: undefined, limit: undefined },
    syncOptions: [],
    syncWindows: [],
    deletionPolicy: 'Orphan',
    pause: undefined,
    refresh: undefined,
    sync: undefined,
    terminate: undefined,
    mute: undefined,
    replay: undefined,
    intervalMs: undefined,
    deleting: false,
    isHeld: false,
    warnings: [],
  });
});

test('an Application that says all that can be said is read without a warning', () => {
  const everything = {
    project: 'default',
    source: { ...source, targetRevision: 'main', name: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'prod' },
    syncPolicy: {
      automated: { enabled: true, prune: true, selfHeal: true, allowEmpty: false },
      syncOptions: ['CreateNamespace=true', 'PrunePropagationPolicy=background', 'ServerSideApply=true'],
      retry: { limit: -1, refresh: true, backoff: { duration: '5s', factor: 2, maxDuration: '15m' } },
    },
    drift: { mode: 'Heal', foreignFields: 'Revert' },
    ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
    deletionPolicy: 'Cascade',
    interval: '1m30s',
    revisionHistoryLimit: 10,
  };
  const metadata = { uid: 'u-1', generation: 7, labels: { team: 'a' }, annotations: { 'setpoint.dev/refresh': '1' }, deletionTimestamp: '2026-01-31T12:00:00Z', resourceVersion: '5' };
  expect(spec(everything, metadata)).toMatchObject({
    uid: 'u-1',
    generation: 7,
    labels: { team: 'a' },
    sources: [{ revision: 'main' }],
    destination: { namespace: 'prod' },
    policy: { deploy: 'automatic', drift: 'Heal', foreignFields: 'Revert', prune: true },
    ignoreRules: everything.ignoreDifferences,
    retry: { durationMs: 5000, factor: 2, maxDurationMs: 900_000, limit: -1 },
    syncOptions: everything.syncPolicy.syncOptions,
    deletionPolicy: 'Cascade',
    refresh: '1',
    intervalMs: 90_000,
    deleting: true,
    warnings: [],
  });
});

test('a document of a file needs no namespace', () => {
  expect(specOf(readApplication({ ...document({ source }), metadata: { name: 'shop' } }))).toMatchObject({ id: 'shop', namespace: undefined, name: 'shop' });
});

test('an Application of Argo CD is read like our own', () => {
  const { apiVersion: _ours, ...rest } = document({ source, project: 'default', destination: { name: 'in-cluster' } });
  expect(specOf(readApplication({ apiVersion: 'argoproj.io/v1alpha1', ...rest }))).toEqual(specOf(readApplication(document({ source }))));
});

describe('what is done about changes', () => {
  const manual = { deploy: 'manual', drift: 'Alert', foreignFields: 'Report', prune: false };
  const automatic = { ...manual, deploy: 'automatic' };

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['nothing', {}, manual, []],
    ['a sync policy without automated', { syncPolicy: {} }, manual, []],
    ['automated: null', { syncPolicy: { automated: null } }, manual, []],
    ['automated: {}', { syncPolicy: { automated: {} } }, automatic, []],
    ['automated.prune', { syncPolicy: { automated: { prune: true } } }, { ...automatic, prune: true }, []],
    ['automated.selfHeal', { syncPolicy: { automated: { selfHeal: true } } }, { ...automatic, drift: 'Heal' }, []],
    ['automated.enabled: null', { syncPolicy: { automated: { enabled: null, selfHeal: true } } }, { ...automatic, drift: 'Heal' }, []],
    ['automated.enabled: false, whatever else it says', { syncPolicy: { automated: { enabled: false, prune: true, selfHeal: true } } }, manual, []],
    ['drift.mode: Heal alone', { drift: { mode: 'Heal' } }, { ...manual, drift: 'Heal' }, []],
    ['drift.mode: Ignore', { drift: { mode: 'Ignore', foreignFields: 'Ignore' } }, { ...manual, drift: 'Ignore', foreignFields: 'Ignore' }, []],
    ['drift.rules', { drift: { rules: [{ mode: 'Heal', kind: 'ConfigMap', paths: ['data.a'] }] } }, { ...manual, rules: [{ mode: 'Heal', of: { kind: 'ConfigMap', paths: ['data.a'] } }] }, []],
    ['the same said twice', { syncPolicy: { automated: { selfHeal: true } }, drift: { mode: 'Heal' } }, { ...automatic, drift: 'Heal' }, []],
    ['the same not said twice', { syncPolicy: { automated: { selfHeal: false } }, drift: { mode: 'Alert' } }, automatic, []],
    [
      'selfHeal, and a drift.mode that says otherwise',
      { syncPolicy: { automated: { selfHeal: true } }, drift: { mode: 'Alert' } },
      automatic,
      ['spec.syncPolicy.automated.selfHeal has no effect: it disagrees with spec.drift.mode (Alert), which wins'],
    ],
    [
      'no selfHeal, and a drift.mode that says otherwise',
      { syncPolicy: { automated: { selfHeal: false } }, drift: { mode: 'Heal' } },
      { ...automatic, drift: 'Heal' },
      ['spec.syncPolicy.automated.selfHeal has no effect: it disagrees with spec.drift.mode (Heal), which wins'],
    ],
    [
      'automated.enabled: false, and drift.mode: Heal',
      { syncPolicy: { automated: { enabled: false } }, drift: { mode: 'Heal' } },
      { ...manual, drift: 'Heal' },
      ['spec.drift.mode goes on to heal although spec.syncPolicy.automated.enabled is false, which concerns new commits only: pause the Application instead'],
    ],
    [
      'foreign fields to revert, and nothing that would',
      { drift: { foreignFields: 'Revert' } },
      { ...manual, foreignFields: 'Revert' },
      ['spec.drift.foreignFields has no effect: nothing is reverted unless drift.mode is Heal'],
    ],
  ])('is as stated by %s', (_name, fields, policy, warnings) => {
    expect(spec(fields)).toMatchObject({ policy, warnings });
  });
});

describe('a field that has no effect is named with its path and a reason', () => {
  const inSource = (fields: JsonObject): JsonObject => ({ source: { ...source, ...fields } });

  test.each<[JsonObject, readonly string[]]>([
    [{ project: 'payments' }, ['spec.project has no effect: there are no projects, the rights in the cluster decide']],
    [{ revisionHistoryLimit: 3 }, ['spec.revisionHistoryLimit has no effect: the last 10 are kept']],
    [{ info: [{ name: 'url', value: 'x' }] }, ['spec.info is not supported, and has no effect: it is shown nowhere']],
    [{ sourceHydrator: { drySource: { path: 'a' } } }, ['spec.sourceHydrator is not supported, and has no effect: give the branch with the hydrated manifests as source']],
    [{ syncPolicy: { automated: { allowEmpty: true } } }, ['spec.syncPolicy.automated.allowEmpty is not supported, and has no effect: nothing is deleted because Git has nothing']],
    [{ syncPolicy: { managedNamespaceMetadata: { labels: { a: 'b' } } } }, ['spec.syncPolicy.managedNamespaceMetadata has no effect without the sync option CreateNamespace=true']],
    [{ syncPolicy: { retry: { limit: 5 } } }, ['spec.syncPolicy.retry.limit has no effect: a failed sync is tried again until it works or something else is wanted']],
    [{ syncPolicy: { retry: { refresh: false } } }, ['spec.syncPolicy.retry.refresh has no effect: a retry always takes the newest commit']],
    [inSource({ helm: { passCredentials: true, releaseName: 'r' } }), ['spec.source.helm.passCredentials is not supported, and has no effect: it concerns Helm repositories, and charts come from Git here']],
    [inSource({ helm: { version: 'v3' } }), ['spec.source.helm.version is not supported, and has no effect: there is one version of Helm here']],
    [inSource({ kustomize: { version: 'v5' } }), ['spec.source.kustomize.version is not supported, and has no effect: there is one version of Kustomize here']],
    [inSource({ kustomize: { commonAnnotationsEnvsubst: true } }), ['spec.source.kustomize.commonAnnotationsEnvsubst is not supported, and has no effect: annotations are taken as they are written']],
    [inSource({ kustomize: { kubeVersion: 'v1.30.0' } }), ['spec.source.kustomize.kubeVersion is not supported, and has no effect: charts in kustomizations are not rendered']],
    [inSource({ kustomize: { apiVersions: ['v1'] } }), ['spec.source.kustomize.apiVersions is not supported, and has no effect: charts in kustomizations are not rendered']],
    [inSource({ directory: { jsonnet: { libs: ['a'] } } }), ['spec.source.directory.jsonnet is not supported, and has no effect: Jsonnet is not rendered']],
    [{ sources: [source] }, ['spec.source has no effect: spec.sources is given, too, and wins']],
    [inSource({ repoURL: 'https://acme@dev.azure.com/acme/p/_git/r' }), ['spec.source.repoURL has a user name, which has no effect: credentials are given to the agent']],
    [{ syncPolcy: {} }, ['spec.syncPolcy is not a field of an Application, and has no effect']],
    [{ syncPolicy: { automated: { prun: false } } }, ['spec.syncPolicy.automated.prun is not a field of an Application, and has no effect']],
    [{ syncPolicy: { retry: { backoff: { jitter: 1 } } } }, ['spec.syncPolicy.retry.backoff.jitter is not a field of an Application, and has no effect']],
    [{ destination: { region: 'eu' } }, ['spec.destination.region is not a field of an Application, and has no effect']],
    [{ drift: { sometimes: true } }, ['spec.drift.sometimes is not a field of an Application, and has no effect']],
    [inSource({ helm: { parameters: [{ name: 'a' }, { name: 'b', extra: 1 }] } }), ['spec.source.helm.parameters[1].extra is not a field of an Application, and has no effect']],
    [{ 'a\nb': 1 }, [String.raw`spec["a\nb"] is not a field of an Application, and has no effect`]],
  ])('%j', (fields, warnings) => {
    expect(spec(fields).warnings).toEqual(warnings);
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ['an operation', { operation: { sync: { prune: true } } }, ['operation is not supported, and has no effect']],
    ['a field beside the spec', { specs: {} }, ['specs is not a field of an Application, and has no effect']],
    ['another version', { apiVersion: 'setpoint.dev/v9' }, ['apiVersion is read as v1alpha1']],
    ['the status of another version', { status: { sync: 5, invented: true } }, []],
    ['an operation that is over', { operation: {} }, []],
  ])('%s', (_name, fields, warnings) => {
    expect(specOf(readApplication({ ...document({ source }), ...fields })).warnings).toEqual(warnings);
  });

  test('the finalizer of Argo CD', () => {
    const { warnings } = spec({}, { finalizers: ['other.example.com/x', 'resources-finalizer.argocd.argoproj.io/background'] });
    expect(warnings).toEqual(['metadata.finalizers has resources-finalizer.argocd.argoproj.io, which only Argo CD removes, and which has no other effect here: use spec.deletionPolicy']);
  });

  test('but not when it says nothing', () => {
    const silent = { info: [], sourceHydrator: null, syncPolicy: { managedNamespaceMetadata: {} }, source: { ...source, chart: '', helm: { passCredentials: false, version: '' }, directory: { jsonnet: {} } } };
    expect(spec(silent).warnings).toEqual([]);
  });

  test('and no more than people read', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field${at}`, at]));
    const { warnings } = spec(many);
    expect(warnings).toHaveLength(51);
    expect(warnings.at(-1)).toBe('and 4950 more');
  });
});

describe('sync options', () => {
  const all = [
    'ApplyOutOfSyncOnly=true', 'CreateNamespace=true', 'Delete=confirm', 'FailOnSharedResource=true', 'Prune=false', 'PruneLast=true', 'PrunePropagationPolicy=orphan', 'Replace=true',
    'RespectIgnoreDifferences=true', 'ServerSideApply=true', 'SkipDryRunOnMissingResource=true', 'Validate=false',
  ];

  test('that are known are kept as they are', () => {
    expect(spec({ syncPolicy: { syncOptions: all } })).toMatchObject({ syncOptions: all, warnings: [] });
  });

  test.each([
    ['Canary=sesame', 'is not a sync option that is known here, and has no effect'],
    ['__proto__=true', 'is not a sync option that is known here, and has no effect'],
    ['Prune=sesame', 'has no effect: Prune is true or false or confirm'],
    ['CreateNamespace', 'has no effect: CreateNamespace is true or false'],
    ['ServerSideApply=false', 'has no effect: objects are always applied server-side'],
    ['Force=true', 'has no effect: only an object that says so itself, by the annotation setpoint.dev/sync-options, is deleted to be created again'],
  ])('%s is named by its place and left out', (option, why) => {
    expect(spec({ syncPolicy: { syncOptions: ['PruneLast=true', option] } })).toMatchObject({ syncOptions: ['PruneLast=true'], warnings: [`spec.syncPolicy.syncOptions[1] ${why}`] });
  });
});

describe('a mute', () => {
  const until = '2026-01-31T18:00:00.000Z';

  test.each<[string, ApplicationSpec['mute']]>([
    ['', undefined],
    [`{"until":"${until}","reason":"incident","author":"ann"}`, { until, reason: 'incident', author: 'ann' }],
    ['{"until":"2026-01-31T19:00:00+01:00"}', { until, reason: '', author: '' }],
  ])('by %j is %j', (value, mute) => {
    expect(spec({}, { annotations: { 'setpoint.dev/mute': value } })).toMatchObject({ mute, warnings: [] });
  });

  test.each([['true'], ['{'], ['{"until":"soon"}'], ['[]'], ['null']])('by %j is none, and a warning', (value) => {
    expect(spec({}, { annotations: { 'setpoint.dev/mute': value } })).toMatchObject({
      mute: undefined,
      warnings: ['metadata.annotations[setpoint.dev/mute] is not what setpoint mute writes, and mutes nothing'],
    });
  });
});

describe('a wish to send dead letters again', () => {
  test.each<[string, ApplicationSpec['replay']]>([
    ['', undefined],
    ['evt_1', { id: 'evt_1', notifications: ['evt_1'] }],
    ['evt_1@x,evt_2@x', { id: 'evt_1@x,evt_2@x', notifications: ['evt_1', 'evt_2'] }],
  ])('by %j is %j', (value, replay) => {
    expect(spec({}, { annotations: { 'setpoint.dev/replay': value } })).toMatchObject({ replay, warnings: [] });
  });

  test('that cannot be understood is none, and a warning', () => {
    expect(spec({}, { annotations: { 'setpoint.dev/replay': 'all of them' } })).toMatchObject({
      replay: undefined,
      warnings: ['metadata.annotations[setpoint.dev/replay] is not what setpoint alerts replay writes, and has no effect'],
    });
  });
});

describe('a pause', () => {
  const pausedBy = (annotations: JsonObject): Pick<ApplicationSpec, 'pause' | 'warnings'> => spec({}, { annotations });

  test.each<[JsonObject, ApplicationSpec['pause']]>([
    [{}, undefined],
    [{ 'setpoint.dev/pause-reason': 'alone' }, undefined],
    [{ 'setpoint.dev/pause': 'false' }, undefined],
    [{ 'setpoint.dev/pause': 'true' }, { until: undefined, reason: undefined }],
    [{ 'setpoint.dev/pause': 'true', 'setpoint.dev/pause-reason': 'migration' }, { until: undefined, reason: 'migration' }],
    [{ 'setpoint.dev/pause': '2026-01-31T18:00:00Z' }, { until: '2026-01-31T18:00:00.000Z', reason: undefined }],
    [{ 'setpoint.dev/pause': '2026-01-31T18:00:00.5+05:30' }, { until: '2026-01-31T12:30:00.500Z', reason: undefined }],
  ])('by %j is %j', (annotations, pause) => {
    expect(pausedBy(annotations)).toMatchObject({ pause, warnings: [] });
  });

  test.each(['yes', '', 'until friday', '2026-13-31T18:00:00Z', '18:00', '2026-01-31', '1769882400'])('that cannot be read (%j) lasts, and a warning says so', (value) => {
    const { pause, warnings } = pausedBy({ 'setpoint.dev/pause': value });
    expect(pause).toEqual({ until: undefined, reason: undefined });
    expect(warnings).toEqual(['metadata.annotations[setpoint.dev/pause] is neither true nor a time such as 2026-01-31T18:00:00Z: the pause lasts until it is removed']);
  });
});

test.each<[JsonObject, string | undefined]>([
  [{}, undefined],
  [{ 'setpoint.dev/refresh': '2026-01-31T18:00:00Z' }, '2026-01-31T18:00:00Z'],
  [{ 'argocd.argoproj.io/refresh': 'hard' }, 'hard'],
  [{ 'setpoint.dev/refresh': '1', 'argocd.argoproj.io/refresh': 'normal' }, '1 normal'],
])('a refresh is asked for by %j', (annotations, refresh) => {
  expect(spec({}, { annotations }).refresh).toBe(refresh);
});

describe('a sync that was asked for', () => {
  const copied = ['metadata.annotations[setpoint.dev/sync] was left on another Application, of which this one is a copy, and has no effect'];
  const asked = { id: 'r', by: 'ada', prune: true };
  test.each<[string, JsonObject, JsonObject, boolean, readonly string[]]>([
    ['counts where it was left', { ...asked, application: 'u1' }, { uid: 'u1' }, true, []],
    ['counts where nobody says on which Application it was left', asked, { uid: 'u1' }, true, []],
    ['has no effect on one that was made anew, or has another name', { ...asked, application: 'u1' }, { uid: 'u2' }, false, copied],
    ['has no effect on a copy in a file', { ...asked, application: 'u1' }, {}, false, copied],
  ])('%s', (_name, request, metadata, counts, warned) => {
    const { sync, warnings } = spec({}, { ...metadata, annotations: { 'setpoint.dev/sync': JSON.stringify(request) } });
    expect(sync).toEqual(counts ? asked : undefined);
    expect(warnings).toEqual(warned);
  });
});

test.each([
  ['10s', 10_000],
  ['10', 10_000],
  ['2m', 120_000],
  ['1.5h', 5_400_000],
  ['1h0m10s', 3_610_000],
  ['10000ms', 10_000],
])('an interval of %s is %i ms', (interval, intervalMs) => {
  expect(spec({ interval }).intervalMs).toBe(intervalMs);
});

describe('the URL of a repository', () => {
  const repositoryOf = (repoURL: string, options?: Parameters<typeof readApplication>[1]): string | undefined => specOf(readApplication(document({ source: { ...source, repoURL } }), options)).sources[0]?.repository;

  test.each([
    ['https://git.example.com/fleet', 'https://git.example.com/fleet'],
    ['http://127.0.0.1:8080/fleet.git', 'http://127.0.0.1:8080/fleet.git'],
    ['https://git.example.com:8443/a@b:c', 'https://git.example.com:8443/a@b:c'],
    ['HTTPS://acme@dev.azure.com/acme/p', 'HTTPS://dev.azure.com/acme/p'],
    ['ssh://git@git.example.com:2222/acme/fleet', 'ssh://git@git.example.com:2222/acme/fleet'],
    ['git@git.example.com:acme/fleet.git', 'git@git.example.com:acme/fleet.git'],
  ])('%s is taken as %s', (repoURL, repository) => {
    expect(repositoryOf(repoURL)).toBe(repository);
  });

  test.each(['file:///var/lib/setpoint', '/var/lib/setpoint', './fleet', 'fleet'])('%s is on the disk of the agent, and only taken from those who start it', (repoURL) => {
    expect(repositoryOf(repoURL, { localRepositories: 'allowed' })).toBe(repoURL);
    expect(mistakes({ source: { ...source, repoURL } })).toEqual(['spec.source.repoURL: an https://, http:// or ssh:// URL or USER@HOST:PATH is wanted, got something else']);
  });

  test.each(['oci://ghcr.io/canary', 'git://canary/fleet', 'ext::canary', 's3://canary', 'canary:'])('%s is refused even from those', (repoURL) => {
    const read = readApplication(document({ source: { ...source, repoURL } }), { localRepositories: 'allowed' });
    expect(read).toMatchObject({ type: 'invalid', messages: [expect.stringMatching(/^spec\.source\.repoURL: .*wanted, got something else$/) as string] });
  });

  test.each(['https://me:canary@git.example.com/fleet', 'https://:canary@git.example.com/fleet', 'https://me:can@ary@git.example.com/fleet', 'ssh://git:canary@git.example.com/fleet', 'HTTPS://me:canary@h/x'])(
    'with a password is refused and not repeated (%s)',
    (repoURL) => {
      expect(mistakes({ source: { ...source, repoURL } })).toEqual(['spec.source.repoURL: a URL without a password is wanted, got one with it: credentials are given to the agent']);
    },
  );
});

describe('a mistake is named with the path, what is wanted and what is there', () => {
  const inSource = (fields: JsonObject): JsonObject => ({ source: { ...source, ...fields } });

  test.each<[Json, string]>([
    [null, 'spec: source or sources is wanted, got neither'],
    ['x', 'spec: a map is wanted, got something else'],
    [{}, 'spec: source or sources is wanted, got neither'],
    [{ source, drift: { rules: [{ kind: 'X' }] } }, 'spec.drift.rules[0].mode: one of Alert, Heal, Ignore is wanted, got none'],
    [{ source, drift: { rules: [{ mode: 'heal', kind: 'X' }] } }, 'spec.drift.rules[0].mode: one of Alert, Heal, Ignore is wanted, got something else'],
    [{ sources: [] }, 'spec: source or sources is wanted, got neither'],
    [{ sources: 'x' }, 'spec.sources: a list is wanted, got a text'],
    [{ sources: [source, 'x'] }, 'spec.sources[1]: a map is wanted, got a text'],
    [{ sources: Array.from({ length: 21 }, () => source) }, 'spec.sources: at most 20 entries are wanted, got 21'],
    [{ source: [] }, 'spec.source: a map is wanted, got a list'],
    [{ source: { path: 'a' } }, 'spec.source.repoURL: a value is wanted, got nothing'],
    [inSource({ repoURL: 5 }), 'spec.source.repoURL: a text is wanted, got a number'],
    [inSource({ repoURL: `https://h/${'x'.repeat(2048)}` }), 'spec.source.repoURL: at most 2048 characters are wanted, got 2058'],
    [{ source: { repoURL: source.repoURL } }, 'spec.source.path: a folder of the repository is wanted, got nothing'],
    [{ source: { repoURL: source.repoURL, chart: 'redis' } }, 'spec.source.chart: is not supported: give a chart that lies in a Git repository, by its path'],
    [inSource({ plugin: { name: 'x' } }), 'spec.source.plugin: is not supported: give manifests, a chart or a kustomization'],
    [inSource({ path: '/etc' }), 'spec.source.path: is absolute: give a folder or file inside the repository'],
    [inSource({ path: 'a/../b' }), 'spec.source.path: leads upwards: give a folder or file inside the repository'],
    [inSource({ path: 1 }), 'spec.source.path: a text is wanted, got a number'],
    [inSource({ helm: { releaseName: 'r' }, kustomize: { namePrefix: 'p' } }), 'spec.source: one of directory, helm and kustomize is wanted, got both helm and kustomize'],
    [inSource({ helm: { parameters: { a: 'b' } } }), 'spec.source.helm.parameters: a list is wanted, got a map'],
    [inSource({ helm: { parameters: [{ name: 'a', value: true }] } }), 'spec.source.helm.parameters[0].value: a text is wanted, got true or false'],
    [inSource({ kustomize: { patches: [1] } }), 'spec.source.kustomize.patches: a list of maps is wanted, got a list with a number in it'],
    [{ sources: [{ repoURL: source.repoURL, ref: 'a' }] }, 'spec.sources: a source with a path is wanted, got none: nothing would be rendered'],
    [{ sources: [{ ...source, ref: 'a' }, { ...source, ref: 'a' }] }, 'spec.sources: a ref of its own for each source is wanted, got the same one twice'],
    [{ source, destination: 'prod' }, 'spec.destination: a map is wanted, got a text'],
    [{ source, destination: { server: 'https://10.0.0.1' } }, 'spec.destination.server: https://kubernetes.default.svc is wanted, got another text: other clusters are not supported'],
    [{ source, destination: { name: 'production' } }, 'spec.destination.name: in-cluster is wanted, got another text: other clusters are not supported'],
    [{ source, destination: { namespace: 'Shop_1' } }, 'spec.destination.namespace: lower-case letters, digits and dashes are wanted, got something else'],
    [{ source, syncPolicy: { automated: true } }, 'spec.syncPolicy.automated: a map is wanted, got true or false'],
    [{ source, syncPolicy: { automated: { prune: 'true' } } }, 'spec.syncPolicy.automated.prune: true or false is wanted, got a text'],
    [{ source, syncPolicy: { syncOptions: 'x' } }, 'spec.syncPolicy.syncOptions: a list of texts is wanted, got a text'],
    [{ source, syncPolicy: { retry: { limit: 1.5 } } }, 'spec.syncPolicy.retry.limit: a whole number is wanted, got a number'],
    [{ source, syncPolicy: { retry: { backoff: { duration: 'soon' } } } }, 'spec.syncPolicy.retry.backoff.duration: a duration such as 30s, 5m or 1h30m is wanted, got a text'],
    [{ source, syncPolicy: { retry: { backoff: { factor: 0 } } } }, 'spec.syncPolicy.retry.backoff.factor: a whole number of at least 1 is wanted, got a smaller one'],
    [{ source, drift: { mode: 'heal' } }, 'spec.drift.mode: one of Alert, Heal, Ignore is wanted, got another text'],
    [{ source, drift: { foreignFields: 'x' } }, 'spec.drift.foreignFields: one of Report, Revert, Ignore is wanted, got another text'],
    [{ source, deletionPolicy: 'Delete' }, 'spec.deletionPolicy: one of Orphan, Cascade is wanted, got another text'],
    [{ source, ignoreDifferences: { kind: 'x' } }, 'spec.ignoreDifferences: a list of maps is wanted, got a map'],
    [{ source, interval: '9s' }, 'spec.interval: a duration of at least 10s is wanted, got a shorter one'],
    [{ source, interval: 60 }, 'spec.interval: a duration such as 30s, 5m or 1h30m is wanted, got a number'],
    [{ source, revisionHistoryLimit: -1 }, 'spec.revisionHistoryLimit: a whole number of at least 0 is wanted, got a smaller one'],
  ])('%j', (fields, message) => {
    expect(mistakes(fields)).toEqual([message]);
  });

  test.each<[JsonObject, string]>([
    [{ name: '' }, 'metadata.name: a value is wanted, got nothing'],
    [{ name: '../../etc' }, 'metadata.name: lower-case letters, digits and dashes and dots are wanted, got something else'],
    [{ name: 'a'.repeat(254) }, 'metadata.name: at most 253 characters are wanted, got 254'],
    [{ namespace: 'a/b' }, 'metadata.namespace: lower-case letters, digits and dashes are wanted, got something else'],
    [{ labels: { a: 1 } }, 'metadata.labels: a map of texts is wanted, got a map with a number in it'],
    [{ annotations: ['x'] }, 'metadata.annotations: a map of texts is wanted, got a list'],
  ])('%j', (metadata, message) => {
    expect(mistakes({ source }, metadata)).toEqual([message]);
  });

  test('all at once', () => {
    const read = readApplication(document({ source: { path: '/x', helm: { skipCrds: 1 } }, interval: '1s', drift: { mode: 'x' }, destination: { name: 'y' } }, { labels: 1 }));
    expect(read).toMatchObject({ type: 'invalid', id: 'team-a/shop' });
    expect(read.type === 'invalid' ? read.messages.map((message) => message.split(':')[0]) : []).toEqual([
      'metadata.labels',
      'spec.source.repoURL',
      'spec.source.helm.skipCrds',
      'spec.interval',
      'spec.drift.mode',
      'spec.source.path',
      'spec.destination.name',
    ]);
  });

  test.each<[string, Json]>([
    ['nothing', null],
    ['a text', 'x'],
    ['a list', []],
    ['another kind', { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject' }],
    ['another group', { apiVersion: 'example.com/v1', kind: 'Application' }],
    ['no metadata', { apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', spec: { source } }],
    ['a name that is none', document({ source }, { name: 'A b' })],
  ])('and %s has no id', (_name, value) => {
    expect(readApplication(value)).toMatchObject({ type: 'invalid', id: undefined, messages: [expect.stringMatching(/wanted, got/) as string] });
  });
});

test('no value is ever repeated: any of them may be a password', () => {
  const canary = 'canary-4815162342';
  const everywhere = {
    project: canary, source: { repoURL: canary, path: `/${canary}`, targetRevision: [canary], ref: { canary }, helm: { values: [canary], parameters: [canary], valueFiles: canary }, kustomize: { images: { canary }, replicas: [{ name: canary, count: canary }] } },
    destination: { server: canary, name: canary, namespace: `${canary}_` }, syncPolicy: { automated: canary, syncOptions: [canary], retry: { limit: canary, backoff: { duration: canary, factor: canary } } },
    drift: { mode: canary, foreignFields: canary }, ignoreDifferences: [canary], info: [canary], deletionPolicy: canary, interval: canary, revisionHistoryLimit: canary, sourceHydrator: canary, unknown: canary,
  };
  const read = readApplication(document(everywhere, { labels: canary, annotations: { 'setpoint.dev/pause': canary } }));
  expect(read).toMatchObject({ type: 'invalid' });
  expect(JSON.stringify(read)).not.toContain(canary);
});

test('whatever is put in the place of any value, nothing is thrown', () => {
  const whole = document({
    project: 'p', source: { ...source, helm: { parameters: [{ name: 'a', value: 'b' }], valuesObject: { a: { b: [1] } } } }, sources: [{ ...source, kustomize: { replicas: [{ name: 'a', count: 1 }] } }],
    destination: { server: 's', namespace: 'n' }, syncPolicy: { automated: { prune: true }, syncOptions: ['a=b'], retry: { limit: 1, backoff: { duration: '5s', factor: 2 } } },
    drift: { mode: 'Heal' }, ignoreDifferences: [{ kind: 'x' }], interval: '1m', info: [{ name: 'a' }],
  }, { labels: { a: 'b' }, annotations: { 'setpoint.dev/pause': 'true' }, finalizers: ['x'] });
  const odd: readonly Json[] = [null, true, 0, -1, 1.5, 2n ** 70n, '', 'x', '\u0000\u2028', [], [[]], [null], {}, { '': {} }, JSON.parse('{"__proto__":{"x":1},"constructor":"y"}') as Json];
  const variants = (value: Json): readonly Json[] => [
    ...odd,
    ...(Array.isArray(value) ? value.flatMap((item: Json, at) => variants(item).map((other) => value.with(at, other) as Json)) : []),
    ...(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value as JsonObject).flatMap(([key, item]) => variants(item).map((other) => ({ ...(value as JsonObject), [key]: other }))) : []),
  ];
  const all = variants(whole);
  expect(all.length).toBeGreaterThan(500);
  const messages = all.map((variant) => readApplication(variant)).flatMap((read) => (read.type === 'invalid' ? read.messages : read.spec.warnings));
  expect(messages.filter((message) => message.includes('cannot be read'))).toEqual([]);
  expect(messages.filter((message) => !/^\S/.test(message) || /[\p{Cc}\p{Zl}]/u.test(message))).toEqual([]);
});

describe('what is nested deeper than the stack', () => {
  let deep: Json = 'x';
  for (let level = 0; level < 100_000; level += 1) deep = { a: deep };

  test('is refused where it would have to be written down again', () => {
    expect(readApplication(document({ source: { ...source, helm: { valuesObject: deep } } }))).toEqual({ type: 'invalid', id: 'team-a/shop', messages: ['the Application cannot be read: it is nested too deeply'] });
  });

  test('is named like any other where it has no effect', () => {
    expect(specOf(readApplication({ ...document({ source, info: deep }), operation: deep })).warnings.map((warning) => warning.split(' ')[0])).toEqual(['spec.info', 'operation']);
  });
});
