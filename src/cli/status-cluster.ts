import type { ApplicationQuery, ApplicationWritten, Cluster } from '../cluster/index.ts';
import { SetpointError, stringifyJson, type KubeObject } from '../model/index.ts';
import { createBeats } from './status-beats.ts';
import { clusterItem, type StatusItem } from './status-item.ts';
import { nearestName } from './status-nearest-name.ts';
import { parseSelector } from './status-selector.ts';
import type { StatusQuestion, StatusSource } from './status-source.ts';
import { watchObjects } from './status-watch-objects.ts';

interface ClusterSourceOptions {
  readonly cluster: Pick<Cluster, 'applications' | 'lease' | 'close'>;
  readonly context: string;
  /** Where nobody names another. */
  readonly namespace: string;
  readonly now: () => Date;
  readonly warn: (text: string) => void;
}

/** The Applications of a cluster, with the user's own rights. */
export function createClusterSource({ cluster, context, namespace: usual, now, warn }: ClusterSourceOptions): StatusSource {
  const applications = cluster.applications();
  const beats = createBeats(cluster);

  const idOf = ({ app, namespace = usual }: StatusQuestion & { readonly app: string }): string => {
    const id = app.includes('/') ? app : `${namespace}/${app}`;
    if (/^[^/]+\/[^/]+$/.test(id)) return id;
    throw new SetpointError('Usage', `an Application is named NAME or NAMESPACE/NAME, got ${app}`);
  };
  const absent = (what: string, nearest?: string): SetpointError =>
    new SetpointError('Usage', `there is no Application ${what} (context ${context}): ${nearest === undefined ? '' : `did you mean ${nearest}? `}setpoint status -A lists all`);
  // Who may read one may perhaps not list them: then there is no proposal.
  const nearestTo = async (id: string, signal: AbortSignal): Promise<string | undefined> => {
    const [namespace = usual] = id.split('/');
    const others = await applications.list({ namespaces: [namespace] }, signal).catch(() => []);
    return nearestName(id, others.map(keyOf));
  };
  const uids = new Map<string, string>();
  const itemOf = (object: KubeObject): StatusItem => clusterItem(object, { beat: beats.of(object), now: now() });

  async function objectsOf(question: StatusQuestion, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const { app } = question;
    if (app === undefined) return applications.list(queryOf(question, usual), signal);
    if (question.allNamespaces === true && !app.includes('/')) {
      const found = (await applications.list({ namespaces: 'all' }, signal)).filter(({ metadata }) => metadata.name === app);
      if (found.length === 0) throw absent(`${app} in any namespace`);
      return found;
    }
    const id = idOf({ ...question, app });
    const object = await applications.get(id, signal);
    if (object === undefined) throw absent(id, await nearestTo(id, signal));
    return [object];
  }

  async function read(question: StatusQuestion, signal: AbortSignal): Promise<readonly StatusItem[]> {
    if (question.selector !== undefined) parseSelector(question.selector);
    const objects = await objectsOf(question, signal);
    for (const object of objects) if (typeof object.metadata['uid'] === 'string') uids.set(keyOf(object), object.metadata['uid']);
    await beats.look(objects, signal);
    return inOrder(objects).map(itemOf);
  }

  const written = (id: string, answer: ApplicationWritten): void => {
    if (answer.type === 'written') return;
    if (answer.type === 'gone') throw absent(id);
    if (answer.type === 'conflict') throw new SetpointError('ClusterError', `${id} is being changed by somebody else: try again`);
    throw new SetpointError(answer.type === 'unknown' ? answer.code : 'ClusterError', `the cluster does not take the change of ${id}: ${answer.message}`);
  };

  return {
    place: `context ${context}`,
    read,
    async find(question, signal) {
      const [item] = await read({ ...question, allNamespaces: false }, signal);
      if (item === undefined) throw absent(idOf(question));
      return item;
    },
    watch(question, tell, signal) {
      const watch = { applications, query: queryOf(question, usual), app: question.app, now, warn, look: beats.look };
      return watchObjects(watch, (objects) => tell(inOrder(objects).map(itemOf)), signal);
    },
    async askForLook(id, text, signal) {
      written(id, await applications.annotate(id, { 'setpoint.dev/refresh': text }, signal));
    },
    async setPause(id, pause, signal) {
      const end = pause === undefined ? null : (pause.until ?? 'true');
      written(id, await applications.annotate(id, { 'setpoint.dev/pause': end, 'setpoint.dev/pause-reason': pause?.reason ?? null }, signal));
    },
    async askForSync(id, request, signal) {
      const uid = uids.get(id);
      // A copy of the Application has the annotation, too, and was asked for nothing.
      const stored = { ...request, ...(uid !== undefined && { application: uid }) };
      written(id, await applications.annotate(id, { 'setpoint.dev/sync': stringifyJson(stored) }, signal));
    },
    async askForEnd(id, operation, signal) {
      written(id, await applications.annotate(id, { 'setpoint.dev/terminate': operation }, signal));
    },
    [Symbol.asyncDispose]: () => cluster.close(),
  };
}

function queryOf({ app, namespace, allNamespaces, selector }: StatusQuestion, usual: string): ApplicationQuery {
  const named = app?.includes('/') === true ? app.split('/')[0] : undefined;
  const namespaces = named !== undefined ? [named] : allNamespaces === true ? ('all' as const) : [namespace ?? usual];
  return { namespaces, ...(selector === undefined ? {} : { selector }) };
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function inOrder(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
