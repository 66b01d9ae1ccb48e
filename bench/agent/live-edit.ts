import { applicationName } from '../source/manifests.ts';
import { configMapName, editedIn, keyName, namespaceName, valueOf, type Entry } from './manifests.ts';
import type { World } from './world.ts';

/** One edit by hand, from when it was sent. */
export interface EditTimes {
  readonly sentAt: number;
  /** When the API server had answered it. */
  readonly answeredAt: number;
  /** When a watch on ConfigMaps showed it. */
  readonly rawAt: number;
  /** When the Application's status said so. */
  readonly verdictAt: number;
}

/** `undo` puts back what Git says. */
export type Edit = 'change' | 'undo';

const withinMs = 60_000;

/** Sends an edit without waiting for what follows. */
export function sendEdit({ client, shape }: World, application: number, edit: Edit): Promise<unknown> {
  const entry = editedIn(application);
  const path = `/api/v1/namespaces/${namespaceName(application % shape.namespaces)}/configmaps/${configMapName(entry)}?fieldManager=kubectl-edit`;
  return client.send('PATCH', path, { type: 'application/merge-patch+json', content: { data: { [keyName(entry)]: wantedValue(entry, edit) } } });
}

/** Edits one key of one ConfigMap and waits until the watch and the verdict show it. */
export async function timeEdit(world: World, application: number, edit: Edit): Promise<EditTimes> {
  const { verdicts, settings, signal } = world;
  const entry = editedIn(application);
  const [name, value, status] = [applicationName(application), wantedValue(entry, edit), edit === 'change' ? 'OutOfSync' : 'Synced'];
  const seen = Promise.all([
    settings.next(configMapName(entry), { what: `the edit of ${name} on the raw watch`, matches: (data) => data[keyName(entry)] === value, withinMs, signal }),
    verdicts.next(name, { what: `${name} to be ${status}`, matches: (verdict) => verdict.status === status, withinMs, signal }),
  ]);
  const sentAt = performance.now();
  const [answeredAt, [rawAt, verdictAt]] = await Promise.all([sendEdit(world, application, edit).then(() => performance.now()), seen]);
  return { sentAt, answeredAt, rawAt, verdictAt };
}

function wantedValue(entry: Entry, edit: Edit): string {
  return edit === 'undo' ? valueOf(entry) : 'edited by hand';
}
