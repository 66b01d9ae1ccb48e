import { createHash } from 'node:crypto';
import { SetpointError } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';
import { within, type SetTimer } from './deadline.ts';
import { hintOf } from './hint-of.ts';
import type { Hint } from './hint.ts';
import type { Outcome } from './hook-result.ts';
import { parsePayload } from './providers/parse-payload.ts';
import type { Delivery, Provider } from './providers/provider.ts';
import { providers } from './providers/providers.ts';
import { isUsableSecret } from './providers/standard-webhooks.ts';
import type { Receiver } from './receiver.ts';
import { createSeenDeliveries } from './seen-deliveries.ts';

export type OnHint = (hint: Hint, signal: AbortSignal) => void | Promise<void>;

export interface IntakeDependencies {
  readonly onHint: OnHint;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

export interface Intake {
  take(delivery: Delivery): Promise<Outcome>;
}

const remembered = { limit: 4096, forMs: 3_600_000 };
const secretsMs = 2_000;
// GitHub and GitLab give up after 10 s.
const hintMs = 5_000;
const complaintMs = 60_000;

/** Deliveries of one receiver in → at most one hint for each. Rejects never: whatever a delivery holds, there is an outcome. */
export function createIntake(receiver: Receiver, { onHint, log, now, setTimer }: IntakeDependencies): Intake {
  const provider: Provider = providers[receiver.provider];
  const seen = createSeenDeliveries({ ...remembered, now });
  let refusals = 0;
  let complainedAt = Number.NEGATIVE_INFINITY;

  async function readSecrets(): Promise<readonly string[]> {
    const read = await within((signal) => receiver.secrets(signal), { ms: secretsMs, setTimer });
    if (read.type === 'late') throw new SetpointError('Internal', `no secret within ${secretsMs / 1000} s`);
    // A file that is just being written may be empty, and nothing is ever signed with an empty key.
    const usable = read.value.filter(isUsableSecret).slice(0, 2);
    if (usable.length === 0) throw new SetpointError('Internal', 'there is no secret any more');
    return usable;
  }

  /** Once a minute: whoever knows the URL could fill the log otherwise. */
  function complain(): void {
    refusals += 1;
    if (Math.abs(now() - complainedAt) < complaintMs) return;
    log.warn('webhooks were refused because their signature or secret is wrong', { receiver: receiver.id, refusals });
    complainedAt = now();
    refusals = 0;
  }

  function unavailable(what: string, error: unknown): Outcome {
    log.error(what, { receiver: receiver.id, reason: error instanceof SetpointError ? error.message : error instanceof Error ? error.name : 'unknown' });
    return { result: 'unavailable', reason: 'it cannot be dealt with now: send it again', headers: { 'retry-after': '10' } };
  }

  async function pass(hint: Hint): Promise<void> {
    const passed = await within((signal) => onHint(hint, signal), { ms: hintMs, setTimer });
    if (passed.type === 'late') throw new SetpointError('QueueUnavailable', `not taken within ${hintMs / 1000} s`);
  }

  async function passOnce(hint: Hint, id: string | undefined): Promise<Outcome> {
    try {
      if (id === undefined) await pass(hint);
      else if ((await seen.once(id, () => pass(hint))) === 'seen') return { result: 'duplicate', reason: 'this delivery was here before' };
    } catch (error) {
      return unavailable('a webhook was not passed on', error);
    }
    return { result: 'accepted' };
  }

  return {
    async take(delivery) {
      if (provider.isUnsignedPing?.(delivery.headers) === true) return { result: 'ping' };
      let secrets;
      try {
        secrets = await readSecrets();
      } catch (error) {
        return unavailable('the secret of a webhook receiver cannot be read', error);
      }
      const { user, header } = receiver;
      const isGenuine = provider.verify(delivery, { secrets, now: now(), ...(user !== undefined && { user }), ...(header !== undefined && { header }) });
      if (!isGenuine) {
        complain();
        return { result: 'unauthorized', reason: 'the signature or secret is missing or wrong' };
      }
      const payload = parsePayload(delivery, provider.encoding);
      if (payload === undefined) return { result: 'malformed', reason: 'the body is not JSON' };
      const heard = hintOf(receiver, provider.read(delivery, payload));
      if (heard.type === 'nothing') return heard.outcome;
      const id = provider.deliveryId(delivery, payload);
      return passOnce(heard.hint, id === undefined ? bodyId(provider, delivery) : `id ${id}`);
    },
  };
}

function bodyId({ withoutId }: Provider, { body }: Delivery): string | undefined {
  return withoutId === 'same-body' ? `body ${createHash('sha256').update(body).digest('hex')}` : undefined;
}
