import type { Destination, Notification, SendOutcome } from '../../../src/model/index.ts';
import type { Attempt } from '../checks/alert-ledger.ts';
import type { Network, Sender } from './network.ts';

export const sinkNames = ['chat', 'pager'] as const;

export type SinkName = (typeof sinkNames)[number];

export interface Sending {
  readonly sink: SinkName;
  readonly notification: Notification;
  readonly sender: Sender;
  readonly epoch: number;
}

/** Where notifications go. */
export interface Sinks {
  /** As one process reaches them in one term. */
  from(sender: Sender, epoch: number): ReadonlyMap<string, Destination>;
}

/** What is told of each message that leaves a process. */
export function createSinks(network: Network, sent: (sending: Sending) => Attempt): Sinks {
  let refs = 0;
  const send = async (sending: Sending, signal: AbortSignal): Promise<SendOutcome> => {
    const { sink, notification, sender } = sending;
    const attempt = sent(sending);
    const carryOut = (): SendOutcome => {
      if (network.isRefused()) return { type: 'retry', why: 'the destination is busy' };
      attempt.arrived();
      // One of them gives its messages names, by which they are updated.
      return sink === 'chat' ? { type: 'sent', ref: notification.ref ?? `message-${(refs += 1)}` } : { type: 'sent' };
    };
    const outcome = await network.send(sender, { to: sink, type: 'write', what: `send ${notification.id} to ${sink}`, carryOut, signal });
    if (outcome.type === 'sent') attempt.answered();
    return outcome;
  };
  return {
    from: (sender, epoch) =>
      new Map(sinkNames.map((sink) => [sink, { name: sink, send: (notification, signal) => send({ sink, notification, sender, epoch }, signal), close: () => Promise.resolve() }])),
  };
}
