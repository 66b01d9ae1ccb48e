import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answer } from './answer.ts';
import { statusOf, type HookResult, type Outcome } from './hook-result.ts';
import { createIntake, type Intake, type IntakeDependencies } from './intake.ts';
import { createHttp, pathOf, type Limits } from './listener.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';
import { createBodyRoom, readBody, type Place } from './read-body.ts';
import type { Receiver } from './receiver.ts';

export interface HookObserver {
  /** The receiver is one that was configured, or `unknownReceiver`. */
  request(receiver: string, result: HookResult): void;
}

/** No id of a receiver looks like this. */
const unknownReceiver = '(unknown)';

const bodyLimit = 1024 * 1024;
const roomForBodies = 32 * bodyLimit;
const rate = { perSecond: 10, burst: 40 };

interface HookListenerOptions extends IntakeDependencies {
  readonly receivers: readonly Receiver[];
  readonly limits: Limits;
  readonly on: HookObserver | undefined;
}

interface Door {
  readonly id: string;
  readonly rateLimit: RateLimit;
  readonly intake: Intake;
}

/** `POST /hooks/<id>`. What is cheap to refuse is refused first, and no byte of a body is read for it. */
export function createHookListener(options: HookListenerOptions): FastifyInstance {
  const { receivers, limits, on, log, now, setTimer } = options;
  const doors = new Map<string, Door>(
    receivers.map((receiver) => [`/hooks/${receiver.id}`, { id: receiver.id, rateLimit: createRateLimit({ ...rate, now }), intake: createIntake(receiver, options) }]),
  );
  const room = createBodyRoom(roomForBodies);

  function finish(reply: FastifyReply, outcome: Outcome): Promise<void> {
    const { result, reason } = outcome;
    on?.request(doors.get(pathOf(reply.request.raw))?.id ?? unknownReceiver, result);
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...outcome.headers };
    return answer(reply, { status: statusOf[result], headers, body: `${JSON.stringify({ result, reason })}\n` }, setTimer);
  }

  async function receive(request: FastifyRequest, door: Door): Promise<Outcome> {
    const place = room.enter();
    try {
      return await receiveAt(place, request.raw, door.intake);
    } finally {
      place.leave();
    }
  }

  async function receiveAt(place: Place, request: IncomingMessage, intake: Intake): Promise<Outcome> {
    const body = await readBody(request, { limit: bodyLimit, place });
    switch (body.type) {
      case 'whole':
        return intake.take({ headers: request.headers, body: body.bytes });
      case 'too-large':
        return tooLarge;
      case 'no-room':
        return tooMany(1);
      case 'cut':
        return { result: 'incomplete' };
    }
  }

  const http = createHttp(limits, (reply) => {
    void finish(reply, refusal(reply.request, undefined) ?? unknown);
  });
  http.addHook('onRequest', async (request, reply) => {
    const refused = refusal(request, doors.get(pathOf(request.raw)));
    if (refused !== undefined) await finish(reply, refused);
  });
  http.post('/hooks/:id', async (request, reply) => {
    const door = doors.get(pathOf(request.raw));
    await finish(reply, door === undefined ? unknown : await receive(request, door));
    return reply;
  });
  http.setErrorHandler(async (error: Error & { readonly statusCode?: number }, _request, reply) => {
    const isUnreadable = error.statusCode === 415;
    if (!isUnreadable) log.error('a webhook request failed', { error: error.name });
    await finish(reply, isUnreadable ? { result: 'unsupported', reason: 'the content type cannot be read' } : { result: 'failed' });
    return reply;
  });
  return http;
}

const unknown: Outcome = { result: 'unknown_receiver' };
const tooLarge: Outcome = { result: 'too_large', reason: `a body has at most ${bodyLimit} bytes` };
const tooMany = (seconds: number): Outcome => ({ result: 'rate_limited', headers: { 'retry-after': String(seconds) } });

/** What can be said before the body is read. */
function refusal({ raw: { method, headers } }: FastifyRequest, door: Door | undefined): Outcome | undefined {
  if (method !== 'POST') return { result: 'method', headers: { allow: 'POST' } };
  if (door === undefined) return unknown;
  const free = door.rateLimit.take();
  if (free.type === 'wait') return tooMany(free.seconds);
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return { result: 'unsupported', reason: 'a body must not be compressed' };
  return Number(headers['content-length'] ?? 0) > bodyLimit ? tooLarge : undefined;
}
