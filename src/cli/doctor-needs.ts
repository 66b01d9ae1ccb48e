import type { Right } from '../cluster/index.ts';
import { applicationKind, isSecretKind, parseResourceKey, type ResourceKey, type ServedKind } from '../model/index.ts';

/** A right, and what does not work without it. */
export interface Need {
  readonly right: Right;
  readonly level: 'warning' | 'failure';
  readonly without: string;
}

/** An object that is to be compared, and whether differences are ever done away with, or it itself. */
export interface Managed {
  readonly key: ResourceKey;
  readonly kind: ServedKind;
  readonly acts: boolean;
  readonly deletes: boolean;
}

const reading = fails('such objects are Unknown');
const watching = warns('they are read one by one at every look, and changes have no exact time');
const trying = warns('what only the server can tell is Unknown');
const applying = fails('nothing is applied');
const creating = fails('objects that are missing stay missing');
const deleting = warns('what Git no longer has, or what should go with its Application, stays');

/** What comparing these objects takes, each right once; the more so where they are kept in sync. */
export function needsOfManaged(objects: readonly Managed[]): readonly Need[] {
  const needs = new Map<string, Need>();
  for (const { key, kind, acts, deletes } of objects) {
    const { namespace, name } = parseResourceKey(key);
    const isSecret = isSecretKind(kind);
    const place = { group: kind.group, resource: kind.resource, ...(kind.namespaced ? { namespace } : {}) };
    // Secrets are asked for by name only: those of others are nobody's business.
    const named = isSecret ? { ...place, name } : place;
    const add = (verb: string, lack: Lack): void => {
      const wanted = need(verb, verb === 'create' ? place : named, lack);
      const id = JSON.stringify(wanted.right);
      if (needs.get(id)?.level !== 'failure') needs.set(id, wanted);
    };
    add('get', reading);
    add('list', watching);
    add('watch', watching);
    if (acts) add('patch', applying);
    else if (!isSecret) add('patch', trying);
    if (acts) add('create', creating);
    if (deletes) add('delete', deleting);
  }
  return [...needs.values()];
}

const applications = { group: applicationKind.group, resource: applicationKind.resource };

/** What the verbs about Applications take. */
export function needsOfUser(namespaces: readonly (string | undefined)[]): readonly Need[] {
  return namespaces.flatMap((namespace) =>
    inNamespace(namespace, [
      need('get', applications, fails('setpoint status NAME does not work')),
      need('list', applications, fails('setpoint status does not work')),
      need('watch', applications, warns('setpoint status --watch does not work')),
      need('patch', applications, warns('setpoint refresh, pause and resume do not work')),
    ]),
  );
}

interface AgentPlace {
  readonly namespaces: readonly (string | undefined)[];
  /** Whether the objects of an Application go with it. */
  readonly cascades: boolean;
  readonly agentNamespace: string;
  readonly lease: string;
}

const leaving = warns('deletionPolicy: Cascade leaves every object, because the end of one Application cannot be told from that of all');
const noticing = warns('new kinds and webhooks are noticed late');
const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
const clusterWide = [
  definitions,
  { group: 'apiregistration.k8s.io', resource: 'apiservices' },
  { group: 'admissionregistration.k8s.io', resource: 'mutatingwebhookconfigurations' },
  { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations' },
];

// The Secret with the key of the hashes.
const keyName = 'setpoint-agent';

/** What the agent itself takes, beside the objects that it compares. */
export function needsOfAgent({ namespaces, cascades, agentNamespace, lease }: AgentPlace): readonly Need[] {
  const leases = { group: 'coordination.k8s.io', resource: 'leases' };
  const secrets = { group: '', resource: 'secrets' };
  const events = { group: 'events.k8s.io', resource: 'events' };
  return [
    ...namespaces.flatMap((namespace) =>
      inNamespace(namespace, [
        need('get', applications, fails('a status that somebody else wrote to cannot be read again')),
        need('list', applications, fails('the agent sees no Application')),
        need('watch', applications, fails('the agent sees no change of an Application')),
        need('update', { ...applications, subresource: 'status' }, fails('no verdict can be written')),
        need('patch', applications, warns('a webhook that reaches an agent that does not lead is lost, and deletionPolicy: Cascade has no effect')),
        need('create', events, warns('there are no Events')),
        need('patch', events, warns('Events are not counted together')),
      ]),
    ),
    ...inNamespace(agentNamespace, [
      need('get', { ...leases, name: lease }, fails('no agent can lead')),
      need('create', leases, fails('the first agent cannot lead')),
      need('patch', { ...leases, name: lease }, fails('no agent can lead')),
      need('get', { ...secrets, name: keyName }, fails('the agent does not start')),
      need('get', { group: '', resource: 'configmaps', name: 'setpoint-silences' }, warns('silences are not heeded')),
      need('create', secrets, fails('the agent does not start the first time')),
    ]),
    ...(cascades ? [need('get', { ...definitions, name: `${applications.resource}.${applications.group}` }, leaving)] : []),
    ...clusterWide.flatMap((what) => ['list', 'watch'].map((verb) => need(verb, what, noticing))),
  ];
}

type Subject = Omit<Right, 'verb'>;

type Lack = Pick<Need, 'level' | 'without'>;

function need(verb: string, subject: Subject, lack: Lack): Need {
  return { right: { verb, ...subject }, ...lack };
}

function fails(without: string): Lack {
  return { level: 'failure', without };
}

function warns(without: string): Lack {
  return { level: 'warning', without };
}

function inNamespace(namespace: string | undefined, needs: readonly Need[]): readonly Need[] {
  return namespace === undefined ? needs : needs.map(({ right, ...rest }) => ({ ...rest, right: { ...right, namespace } }));
}
