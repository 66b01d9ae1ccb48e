import { setTimeout as sleep } from 'node:timers/promises';
import type { ApplicationEvent, ApplicationObjects, ApplicationQuery } from '../cluster/index.ts';
import { entriesOf, type Json, type KubeObject } from '../model/index.ts';
import { parseSelector } from './status-selector.ts';

interface ObjectsWatch {
  readonly applications: Pick<ApplicationObjects, 'watch'>;
  readonly query: ApplicationQuery;
  /** Only this one, by its name. */
  readonly app: string | undefined;
  readonly now: () => Date;
  readonly warn: (text: string) => void;
  /** Called before they are told, and now and then. */
  readonly look: (objects: readonly KubeObject[], signal: AbortSignal) => Promise<void>;
}

/** Those who write Applications often write several. */
const settleMs = 100;
/** After so many of these, what was told is told again: it has grown older. */
const oldAfter = 50;

/** Tells all Applications that were asked for, whenever one of them has changed; until the signal. */
export async function watchObjects({ applications, query, app, now, warn, look }: ObjectsWatch, tell: (objects: readonly KubeObject[]) => void, signal: AbortSignal): Promise<void> {
  const matches = query.selector === undefined ? () => true : parseSelector(query.selector);
  const name = app?.split('/').at(-1);
  const wants = ({ metadata }: KubeObject): boolean => (name === undefined || metadata.name === name) && matches(labelsOf(metadata['labels']));
  const objects = new Map<string, KubeObject>();
  const put = (object: KubeObject): void => {
    const id = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    if (wants(object)) objects.set(id, object);
    else objects.delete(id);
  };
  let isListed = false;
  let hasNews = false;
  const onChange = (event: ApplicationEvent): void => {
    if (event.type === 'out-of-sight') warn(`changes are not seen any more: ${event.message}`);
    if (event.type === 'listed') for (const object of event.objects) put(object);
    if (event.type === 'changed') put(event.object);
    if (event.type === 'deleted') objects.delete(event.id);
    isListed ||= event.type === 'listed';
    hasNews = true;
  };
  const watch = applications.watch({ namespaces: query.namespaces, onChange, log: quiet, now });
  try {
    for (let rounds = 0; !signal.aborted; rounds += 1) {
      if (isListed && (hasNews || rounds % oldAfter === 0)) {
        hasNews = false;
        await look([...objects.values()], signal);
        tell([...objects.values()]);
      }
      await sleep(settleMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await watch.close();
  }
}

function labelsOf(labels: Json | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(entriesOf(labels).map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}

// What a watch has to say comes as its events.
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
