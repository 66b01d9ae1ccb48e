import { cloudEvent } from '../alert/index.ts';
import type { Application } from '../model/index.ts';
import type { DestinationPort, StatusPort } from './ports.ts';

interface Delivery {
  readonly status: StatusPort;
  readonly destination: DestinationPort;
  readonly cluster: string;
  readonly signal: AbortSignal;
}

/** Sends what waits in the outbox, oldest first. Sent, then recorded: after a crash in between, the same key is sent again. */
export async function deliverAlerts(application: Application, { status: statuses, destination, cluster, signal }: Delivery): Promise<void> {
  for (;;) {
    const status = await statuses.read(application.id);
    const [pending] = status.outbox;
    if (pending === undefined) return;
    await destination.send(cloudEvent(pending, { application, cluster, status }), signal);
    await statuses.update(application.id, (current) => ({
      ...current,
      outbox: current.outbox.filter(({ key }) => key !== pending.key),
    }));
  }
}
