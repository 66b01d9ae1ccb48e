import type { AppStatus, PendingAlert } from '../../../src/model/index.ts';
import type { Violated } from './witness.ts';

/** What was to be told, and what was told. One for all Applications. */
export interface AlertLedger {
  written(id: string, status: AppStatus): void;
  /** An Application is gone, and what was to be told of it. */
  gone(id: string): void;
  received(key: string): void;
  /** Whether anybody was told of this. */
  wasReceived(key: string): boolean;
  /** What was promised and has not come. */
  owed(): readonly string[];
}

export function createAlertLedger(violated: Violated): AlertLedger {
  const promised = new Map<string, PendingAlert & { readonly id: string }>();
  const received = new Set<string>();
  const waiting = new Map<string, ReadonlySet<string>>();
  return {
    written(id, { outbox }) {
      const keys = new Set(outbox.map(({ key }) => key));
      if (keys.size < outbox.length) violated(`${id} has two alerts of the same key in its outbox`);
      for (const key of waiting.get(id) ?? []) if (!keys.has(key) && !received.has(key)) violated(`alert ${key} of ${id} left the outbox and was not sent`);
      for (const alert of outbox) {
        const before = promised.get(alert.key);
        if (before !== undefined && (before.id !== id || before.type !== alert.type || before.incidentId !== alert.incidentId)) violated(`alert ${alert.key} of ${id} has become another one`);
        promised.set(alert.key, { ...alert, id });
      }
      waiting.set(id, keys);
    },
    gone(id) {
      waiting.delete(id);
      for (const [key, alert] of promised) if (alert.id === id) received.add(key);
    },
    received(key) {
      if (!promised.has(key)) violated(`alert ${key} was sent and is not on record`);
      received.add(key);
    },
    wasReceived: (key) => received.has(key),
    owed: () => [...promised.keys()].filter((key) => !received.has(key)),
  };
}
