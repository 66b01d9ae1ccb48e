import type { ServedKind } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';
import type { KindTable } from './discovery.ts';
import { createSharedWork } from './shared-work.ts';
import type { Transport } from './transport.ts';
import { watchNotices } from './watch/watch-notices.ts';

/** What the cluster serves and who has a say in it, for a process that stays: asked again only when it has changed. */
export interface Definitions {
  discover(signal: AbortSignal): Promise<KindTable>;
  /** Another text whenever admission webhooks may have changed: what the server predicted before then may be out of date. */
  admission(): string;
  /** Kinds may have come, gone or changed. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

interface DefinitionsOptions {
  readonly transport: Pick<Transport, 'send' | 'stream'>;
  readonly discover: (signal: AbortSignal) => Promise<KindTable>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly now: () => Date;
}

const clusterScoped = { namespaced: false, hasStatus: false };
const kinds: readonly ServedKind[] = [
  { ...clusterScoped, group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition', resource: 'customresourcedefinitions' },
  { ...clusterScoped, group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService', resource: 'apiservices' },
];
const webhooks: readonly ServedKind[] = [
  { ...clusterScoped, group: 'admissionregistration.k8s.io', version: 'v1', kind: 'MutatingWebhookConfiguration', resource: 'mutatingwebhookconfigurations' },
  { ...clusterScoped, group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingWebhookConfiguration', resource: 'validatingwebhookconfigurations' },
];

// Where changes cannot be noticed, for want of rights, they are looked for; and an upgrade of the server leaves no notice at all.
const blindMs = 60_000;
const sightedMs = 30 * 60_000;
// The server tells of a new definition before it serves its kind: what is discovered so soon after a notice may be the old state.
const settlingMs = 5000;

export function createDefinitions({ transport, discover, log, now }: DefinitionsOptions): Definitions {
  const listeners = new Set<() => void>();
  let known: { readonly ask: (signal: AbortSignal) => Promise<KindTable>; readonly at: number } | undefined;
  let admission = 0;
  let settling: NodeJS.Timeout | undefined;
  const forget = (): void => {
    known = undefined;
    for (const listener of listeners) listener();
  };
  const served = watchNotices({
    ...{ places: kinds.map((kind) => ({ kind })), transport, log, now },
    changed() {
      clearTimeout(settling);
      settling = setTimeout(forget, settlingMs).unref();
      forget();
    },
  });
  const judges = watchNotices({
    ...{ places: webhooks.map((kind) => ({ kind })), transport, log, now },
    changed() {
      admission += 1;
    },
  });
  return {
    discover(signal) {
      const at = performance.now();
      if (known !== undefined && at - known.at < (served.inSight() ? sightedMs : blindMs)) return known.ask(signal);
      known = { ask: createSharedWork(discover), at };
      return known.ask(signal);
    },
    admission: () => String(admission),
    onChange: (listener) => void listeners.add(listener),
    async close() {
      clearTimeout(settling);
      await Promise.all([served.close(), judges.close()]);
    },
  };
}
