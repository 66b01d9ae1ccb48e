import type { deliverAlerts } from '../../../src/reconcile/index.ts';
import type { Network, Sender } from './network.ts';

/** Where alerts go. */
export interface Sink {
  from(sender: Sender): Parameters<typeof deliverAlerts>[1]['destination'];
}

export function createSink(network: Network, received: (key: string) => void): Sink {
  return {
    from: (sender) => ({
      send: (event, signal) => network.send(sender, { to: 'sink', type: 'write', what: `send ${event.id}`, carryOut: () => received(event.id), signal }),
    }),
  };
}
