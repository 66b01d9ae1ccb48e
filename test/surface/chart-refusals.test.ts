import { expect, test } from 'vitest';
import { chartFolder, helm } from '../support/chart.ts';

const image = { repository: 'registry.example.com/setpoint' };
const config = { destinations: [{ name: 'hook', type: 'webhook', url: 'https://hooks.example.com' }] };

/** What cannot be meant, and the sentence that says so. */
const contradictions: readonly (readonly [object, string])[] = [
  [{ image: {} }, 'image.repository wants the place of the image, such as registry.example.com/setpoint, and is empty'],
  [{ serviceAccount: { create: false } }, 'serviceAccount.name wants the name of your account where serviceAccount.create is false, and is empty'],
  [{ rbac: { level: 'sync-namespaces' } }, 'rbac.level is sync-namespaces, and rbac.namespaces names none: name those to sync in, or choose read-only or sync-everywhere'],
  [{ rbac: { level: 'sync-everywhere', namespaces: ['a', 'b'] } }, 'rbac.level is sync-everywhere, and rbac.namespaces names a, b: choose sync-namespaces, or name none'],
  [{ rbac: { level: 'sync-everywhere', dryRuns: true } }, 'rbac.dryRuns is for the level read-only, and rbac.level is sync-everywhere, which has that right anyway'],
  [{ rbac: { create: false, level: 'sync-everywhere' } }, 'rbac.create is false, and rbac.level is sync-everywhere: no role is made of that. Leave it out, and bind roles of your own that say it'],
  [{ rbac: { create: false, dryRuns: true, secrets: [{ namespace: 'a', names: ['keys'] }] } }, 'rbac.create is false, and rbac.dryRuns is true, rbac.secrets names some: no role is made of that. Leave it out, and bind roles of your own that say it'],
  [{ rbac: { kinds: { '': ['secrets'] } } }, 'rbac.kinds would let the agent read every Secret, by "": [secrets]: name kinds there, and Secrets in rbac.secrets'],
  [{ rbac: { clusterKinds: { '*': ['*'] } } }, 'rbac.clusterKinds would let the agent read every Secret, by "*": [*]: name kinds there, and Secrets in rbac.secrets'],
  [{ rbac: { namespaces: ['a'], clusterKinds: { '': ['nodes', 'persistentvolumes'], 'storage.k8s.io': null } } }, 'rbac.clusterKinds names nodes, and rbac.namespaces names a: kinds outside of namespaces cannot be had there'],
  [{ rbac: { namespaces: ['a'], clusterKinds: { 'example.com': ['widgets'] } } }, 'rbac.clusterKinds names widgets.example.com, and rbac.namespaces names a: kinds outside of namespaces cannot be had there'],
  [{ rbac: { namespaces: ['a'], secrets: [{ namespace: 'b', names: ['keys'] }] } }, 'rbac.secrets names the namespace b, and rbac.namespaces has only a'],
  [{ config, redis: { enabled: true } }, 'redis.existingSecret wants the name of a Secret with the password where redis.enabled is true, and is empty'],
  [{ config, redis: { enabled: true, existingSecret: 's' }, externalRedis: { url: 'redis://r' } }, 'redis.enabled is true and externalRedis.url is given: choose one'],
  [{ redis: { existingSecret: 's' } }, 'redis.existingSecret is given, and redis.enabled is false: for a Redis of yours it is externalRedis.existingSecret'],
  [{ redis: { persistence: { enabled: true } } }, 'redis.persistence.enabled is true, and redis.enabled is false: there is nothing to keep'],
  [{ config, externalRedis: { url: 'redis://:canary@r' } }, 'externalRedis.url holds a user or a password: put them into a Secret and name it in externalRedis.existingSecret'],
  [{ redis: { enabled: true, existingSecret: 's' } }, 'redis.enabled is true, and config.destinations has none: Redis holds the queue of alerts and nothing else, so it would have no effect'],
  [{ externalRedis: { url: 'redis://r' } }, 'externalRedis.url is given, and config.destinations has none: Redis holds the queue of alerts and nothing else, so it would have no effect'],
  [{ config, externalRedis: { url: 'redis+sentinel://s1,s2' } }, 'externalRedis.url names Sentinels and no master: it ends with /MASTER, or /MASTER/DATABASE'],
  [{ config, externalRedis: { url: 'rediss+cluster://n1,n2/3' } }, 'externalRedis.url names a cluster and a path: a cluster has but one database'],
  [{ config, externalRedis: { url: 'redis://r/first' } }, 'externalRedis.url has a path that is not the number of a database'],
  [{ config, externalRedis: { url: 'redis+sentinel://s/main?sentinelPassword=canary' } }, 'externalRedis.url holds the login of the Sentinels: put it into a Secret and name its keys in externalRedis.sentinelUsernameKey and sentinelPasswordKey'],
  [{ config, externalRedis: { url: 'redis://r', existingSecret: 's', sentinelPasswordKey: 'p' } }, 'externalRedis.sentinelPasswordKey is given, and externalRedis.url names no Sentinels: it does not begin with redis+sentinel or rediss+sentinel'],
  [{ config, externalRedis: { url: 'redis+sentinel://s/main', sentinelUsernameKey: 'u' } }, 'externalRedis.sentinelUsernameKey is given, and externalRedis.existingSecret is empty'],
  [{ gitCredentials: [{ secret: 'a' }, { secret: 'b', url: 'https://u:canary@git.example.com/acme' }] }, 'gitCredentials[1].url holds a user or a password: put them into the Secret b, as username and password'],
  [{ gitCredentials: [{ secret: 'b', url: 'ssh://git:canary@git.example.com/acme' }] }, 'gitCredentials[0].url holds a user or a password: put them into the Secret b, as username and password'],
  ...['https://u:canary@hooks.example.com', 'https://hooks.example.com/?token=canary', 'https://hooks.example.com/#canary'].map((url): readonly [object, string] => [
    { config: { destinations: [{ name: 'hook', type: 'webhook', url }] } },
    'config.destinations[0].url may hold no user, no password, no ? and no #, because it is in a ConfigMap: for a webhook put all of it into a file of secretFiles and name that in urlFile',
  ]),
  [{ config: { destinations: [{ name: 'team', type: 'slack', tokenFile: '/more/token', channel: 'c', apiUrl: 'https://u:canary@slack.example.com' }] } }, 'config.destinations[0].apiUrl may hold no user, no password, no ? and no #, because it is in a ConfigMap: for a webhook put all of it into a file of secretFiles and name that in urlFile'],
  [{ config: { interval: '5s' } }, 'config.interval wants a duration from 10s to 24h, and is 5s'],
  [{ config: { interval: '9s500ms' } }, 'config.interval wants a duration from 10s to 24h, and is 9s500ms'],
  [{ config: { sweep: '1ms' } }, 'config.sweep wants a duration from 1s to 24h, and is 1ms'],
  [{ config: { leaseDuration: '1h' } }, 'config.leaseDuration wants a duration from 4s to 5m, and is 1h'],
  [{ config: { receivers: [{ id: 'a', provider: 'github', secretFile: '/more/a' }, { id: 'a', provider: 'gitlab', secretFile: '/more/b' }] } }, 'config.receivers[1].id is a, which another receiver has: each wants one of its own'],
  [{ config: { receivers: [{ id: 'a', provider: 'github' }] } }, 'config.receivers[0] wants secretFile or secretFiles, and has neither: anyone could send to it'],
  [{ config: { receivers: [{ id: 'a', provider: 'github', secretFile: '/more/a', secretFiles: ['/more/b'] }] } }, 'config.receivers[0] wants secretFile or secretFiles, and has both'],
  [{ config: { receivers: [{ id: 'a', provider: 'gitlab', secretFile: '/more/a', header: 'X-Secret' }] } }, 'config.receivers[0] has a header, which only azure-devops takes, and its provider is gitlab'],
  [{ config: { receivers: [{ id: 'a', provider: 'azure-devops', secretFile: '/more/a', header: 'X-Secret', user: 'me' }] } }, 'config.receivers[0] has a user and a header: the secret comes by one of them'],
  [{ config: { destinations: [...config.destinations, ...config.destinations] } }, 'config.destinations[1].name is hook, which another destination has: each wants one of its own'],
  [{ config: { destinations: [{ ...config.destinations[0], name: 'webhook' }] }, notifyWebhook: { secret: 's', key: 'k' } }, 'config.destinations[0].name is webhook, which another destination has, or that of notifyWebhook: each wants one of its own'],
  [{ config: { destinations: [{ name: 'team', type: 'slack', tokenFile: '/more/token' }] } }, 'config.destinations[0] is of the type slack and wants channel'],
  [{ config: { destinations: [{ name: 'hook', type: 'webhook' }] } }, 'config.destinations[0] wants url or urlFile, and has neither'],
  [{ config: { destinations: [{ ...config.destinations[0], secretFile: '/more/a', secretFiles: ['/more/b'] }] } }, 'config.destinations[0] wants secretFile or secretFiles, and has both'],
  [{ config: { ...config, alerts: { rules: [{ name: 'drift' }, { name: 'blind', destinations: ['hook', 'page'] }] } } }, 'config.alerts.rules[1].destinations names page, and config.destinations has only hook'],
  [{ config: { alerts: { rules: [{ name: 'drift', destinations: ['team'] }] } } }, 'config.alerts.rules[0].destinations names team, and config.destinations has none'],
  [{ config: { alerts: { rules: [{ name: 'drift' }] } } }, 'config.alerts.rules are given, and config.destinations has none: nobody would be told'],
  [{ prometheusRule: { enabled: true } }, 'prometheusRule.enabled is true, and nothing says how Prometheus comes by the metrics: have serviceMonitor.enabled, or name the job of your own in prometheusRule.job'],
  [{ service: { type: 'LoadBalancer' } }, 'service.type is LoadBalancer, and config.receivers has none: there is no Service for webhooks'],
  [{ secretFiles: [{ path: 'hooks', secret: 's', key: 'k' }, { path: 'hooks/a', secret: 't', key: 'k' }] }, 'secretFiles has the paths hooks and hooks/a: one cannot be a file and a folder'],
  [{ externalRedis: { existingSecret: 's' } }, 'externalRedis.existingSecret is given, and externalRedis.url is empty'],
  [{ config, externalRedis: { url: 'redis://r', usernameKey: 'u' } }, 'externalRedis.usernameKey is given, and externalRedis.existingSecret is empty'],
  [{ config, externalRedis: { url: 'redis://r', caFile: 'ca' }, secretFiles: [{ path: 'ca', secret: 's', key: 'k' }] }, 'externalRedis.caFile is for TLS, and externalRedis.url does not begin with rediss'],
  [{ config, externalRedis: { url: 'rediss://r', caFile: 'ca' } }, 'externalRedis.caFile names a file that secretFiles has no path for: ca'],
  [{ ingress: { enabled: true, host: 'h' } }, 'ingress.enabled is true, and config.receivers has none: nothing would listen'],
  [{ ingress: { enabled: true }, config: { receivers: [{ id: 'a', provider: 'github', secretFile: '/more/a' }] } }, 'ingress.host wants the name of the host where ingress.enabled is true, and is empty'],
  [{ config: { receivers: [{ id: 'a', provider: 'github', secretFiles: ['/more/a', 'b'] }] } }, 'config.receivers[0].secretFiles names a file that secretFiles has no path for: b'],
  [{ config: { destinations: [{ name: 'am', type: 'alertmanager', url: 'http://am', auth: { tokenFile: 'token' } }] } }, 'config.destinations[0].auth.tokenFile names a file that secretFiles has no path for: token'],
  [{ config: { destinations: [{ name: 'x', type: 'teams', urlFile: 'https://hooks.example.com/canary' }] } }, 'config.destinations[0].urlFile names a file that secretFiles has no path for: it looks like a URL'],
  [{ secretFiles: [{ path: 'a', secret: 's', key: 'k' }, { path: 'a', secret: 't', key: 'k' }] }, 'secretFiles has the path a twice'],
  [{ secretFiles: [{ path: 'config.yaml', secret: 's', key: 'k' }] }, "secretFiles has the path config.yaml, which is the name of a file of the chart's own"],
];

test.each(contradictions)('%j is refused with a sentence', async (values, sentence) => {
  const { code, stderr } = await helm(['template', 'setpoint', chartFolder, '-n', 'gitops'], { image, ...values });
  // Helm prints its error twice.
  const problems = new Set(stderr.split('\n').filter((line) => line.startsWith('- ')));
  expect([...problems]).toEqual([`- ${sentence}`]);
  expect(stderr).not.toContain('canary');
  expect(code).toBe(1);
});

/** What no value may be, and where Helm says it is. */
const misfits: readonly (readonly [object, string])[] = [
  [{ replica: 2 }, "additional properties 'replica' not allowed"],
  [{ redis: { enabld: true } }, "at '/redis': additional properties 'enabld' not allowed"],
  [{ config: { intervall: '60s' } }, "at '/config': additional properties 'intervall' not allowed"],
  [{ config: { receivers: [{ id: 'a', provider: 'github', secret: 's' }] } }, "at '/config/receivers/0': additional properties 'secret' not allowed"],
  [{ config: { receivers: [{ id: 'a', provider: 'sourcehut', secretFile: '/more/a' }] } }, "at '/config/receivers/0/provider': value must be one of 'github', 'gitlab'"],
  [{ config: { destinations: [{ name: 'a', type: 'pager' }] } }, "at '/config/destinations/0/type': value must be one of 'slack', 'slack-webhook'"],
  [{ config: { destinations: [{ name: 'a', url: 'https://hooks.example.com' }] } }, "at '/config/destinations/0': missing property 'type'"],
  [{ podSecurityContext: { runAsUser: 0 } }, "at '/podSecurityContext/runAsUser': minimum: got 0, want 1"],
  [{ redis: { podSecurityContext: { runAsNonRoot: false } } }, "at '/redis/podSecurityContext': additional properties 'runAsNonRoot' not allowed"],
  [{ podSecurityContext: { seccompProfile: { type: 'Unconfined' } } }, "at '/podSecurityContext/seccompProfile/type': value must be one of 'RuntimeDefault', 'Localhost'"],
  [{ strategy: { type: 'OnDelete' } }, "at '/strategy/type': value must be one of 'RollingUpdate', 'Recreate'"],
  [{ strategy: { rollingUpdate: { maxSurge: 'all' } } }, "at '/strategy/rollingUpdate/maxSurge'"],
  [{ replicas: 3 }, "at '/replicas': maximum: got 3, want 2"],
  [{ rbac: { level: 'admin' } }, "at '/rbac/level': value must be one of 'read-only', 'sync-namespaces', 'sync-everywhere'"],
  [{ secretFiles: [{ path: '../a', secret: 's', key: 'k' }] }, "at '/secretFiles/0/path'"],
  [{ notifyWebhook: { secret: 's' } }, "at '/notifyWebhook'"],
];

test.each(misfits)('%j is refused by the schema', async (values, place) => {
  const { code, stderr } = await helm(['template', 'setpoint', chartFolder, '-n', 'gitops'], { image, ...values });
  expect(stderr).toContain(place);
  expect(code).toBe(1);
});

/** What looks like them, and can be meant. */
const meant: readonly object[] = [
  { config: { interval: '10s' } },
  { config: { interval: '1m0.5s' } },
  { rbac: { namespaces: ['a'], clusterKinds: { 'storage.k8s.io': null } } },
  { notifyWebhook: { secret: 's', key: 'k' }, redis: { enabled: true, existingSecret: 's' }, config: { alerts: { rules: [{ name: 'all', destinations: ['webhook'] }] } } },
  { prometheusRule: { enabled: true, job: 'mine' } },
  { gitCredentials: [{ secret: 'a', url: 'ssh://git@git.example.com/acme' }, { secret: 'b', url: 'git@git.example.com:acme' }] },
  { strategy: null, podSecurityContext: null, podLabels: null, podAnnotations: null, notifyWebhook: null, config: { interval: null, alerts: null, destinations: null }, applications: { namespaces: null }, rbac: { namespaces: null } },
  { secretFiles: [{ path: 'hooks-a', secret: 's', key: 'k' }, { path: 'hooks/a', secret: 's', key: 'k' }] },
];

test.each(meant)('%j is taken', async (values) => {
  expect(await helm(['template', 'setpoint', chartFolder, '-n', 'gitops'], { image, ...values })).toMatchObject({ code: 0 });
});

test.each(['1st', 'my.release'])('a release that is called %s wants another name for its objects, because a Service cannot have that one', async (release) => {
  const sentence = `fullnameOverride wants a name, because ${release}-setpoint, which the release's makes, cannot be that of a Service: small letters, digits and dashes, a letter first`;
  const { code, stderr } = await helm(['template', release, chartFolder, '-n', 'gitops'], { image });
  expect(stderr).toContain(`- ${sentence}`);
  expect(code).toBe(1);
  expect(await helm(['template', release, chartFolder, '-n', 'gitops'], { image, fullnameOverride: 'drift' })).toMatchObject({ code: 0 });
});
