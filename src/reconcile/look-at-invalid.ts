import type { Application } from '../model/index.ts';
import { letGoUnread } from './deletion.ts';
import type { Ports } from './ports.ts';
import { recordUnknown } from './record-unknown.ts';

/** An application whose document cannot be read: that is on record. Whoever deletes it is not kept from it, and nothing else is deleted. */
export async function lookAtInvalid({ application, message }: { readonly application: Application; readonly message: string }, ports: Ports, signal: AbortSignal): Promise<void> {
  await recordUnknown({ application, code: 'ApplicationInvalid', message, isAnswer: true }, ports);
  if (application.deleting && application.isHeld === true) await letGoUnread(application.id, ports, signal);
}
