import type { Hint, Receiver } from '../../../src/server/index.ts';
import { createIntake, type OnHint } from '../../../src/server/intake.ts';
import type { Delivery } from '../../../src/server/providers/provider.ts';
import { senders, type Sender, type Signing } from '../../fixtures/webhooks/senders.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { fakeClock } from './fake-clock.ts';

/** A receiver for one sender, and what comes out of it. */
export function openIntake(sender: Sender, settings: Partial<Receiver> & { readonly onHint?: OnHint } = {}) {
  const { onHint, ...overrides } = settings;
  const clock = fakeClock();
  const log = recordingLog();
  const hints: Hint[] = [];
  const receiver: Receiver = { id: 'fleet', provider: sender.provider, secrets: async () => sender.secrets, ...sender.settings, ...overrides };
  const intake = createIntake(receiver, {
    log,
    now: clock.now,
    setTimer: clock.setTimer,
    async onHint(hint, signal) {
      await onHint?.(hint, signal);
      hints.push(hint);
    },
  });
  return { clock, log, hints, take: intake.take };
}

/** As the sender sends it, unless something else is said. */
export function deliver(sender: Sender, changes: Partial<Signing> & { readonly payload?: unknown } = {}): Delivery {
  const { payload = sender.sample, ...signing } = changes;
  const body = Buffer.from(signing.body ?? JSON.stringify(payload));
  const headers = sender.headers({ secret: sender.secrets[0], id: 'delivery-1', timestamp: Date.parse('2026-03-02T08:26:44Z') / 1000, ...signing, body });
  return { headers: { ...headers }, body };
}

export function senderOf(name: string): Sender {
  const found = senders.find((sender) => sender.name === name);
  if (found === undefined) throw new Error(`there is no sender ${name}`);
  return found;
}
