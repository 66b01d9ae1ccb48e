import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Log } from '../telemetry/index.ts';
import { answer, type Answer } from './answer.ts';
import { within, type SetTimer } from './deadline.ts';
import { createHttp, pathOf, type Limits } from './listener.ts';
import { runChecks, type Check } from './run-checks.ts';

export interface Operations {
  /** Whether the process works. */
  readonly health: readonly Check[];
  /** Whether it has what it needs to do its work. Others while it starts. */
  readonly readiness: () => readonly Check[];
  readonly metrics: {
    /** Prometheus' text format, where nothing else is said. */
    readonly contentType?: string;
    text(): string | Promise<string>;
  };
}

interface OperationsListenerOptions extends Operations {
  readonly limits: Limits;
  readonly log: Pick<Log, 'error'>;
  readonly setTimer: SetTimer;
}

const metricsMs = 5_000;

/** `GET /healthz`, `/readyz` and `/metrics`. Nothing is asked of who asks: the address is for those who may know. */
export function createOperationsListener({ health, readiness, metrics, limits, log, setTimer }: OperationsListenerOptions): FastifyInstance {
  async function metricsText(): Promise<Answer> {
    try {
      const text = await within(() => metrics.text(), { ms: metricsMs, setTimer });
      if (text.type === 'done') return { status: 200, headers: { 'content-type': metrics.contentType ?? 'text/plain; version=0.0.4; charset=utf-8' }, body: text.value };
      log.error('the metrics were not ready in time');
    } catch (error) {
      log.error('the metrics cannot be shown', { error: error instanceof Error ? error.name : 'unknown' });
    }
    return plain(503, 'the metrics cannot be shown now');
  }

  const routes: Readonly<Record<string, () => Promise<Answer>>> = {
    '/healthz': checked(() => health, setTimer),
    '/readyz': checked(readiness, setTimer),
    '/metrics': metricsText,
  };
  const refuse = (reply: FastifyReply): Promise<void> => {
    const isKnown = Object.hasOwn(routes, pathOf(reply.request.raw));
    return answer(reply, isKnown ? { ...plain(405, 'only GET and HEAD'), headers: { allow: 'GET, HEAD' } } : plain(404, 'not found'), setTimer);
  };
  const http = createHttp(limits, (reply) => void refuse(reply));
  for (const [path, give] of Object.entries(routes)) {
    http.get(path, async (_request, reply) => {
      await answer(reply, await give(), setTimer);
      return reply;
    });
  }
  http.setNotFoundHandler(async (_request, reply) => {
    await refuse(reply);
    return reply;
  });
  return http;
}

const plain = (status: number, body: string): Answer => ({ status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${body}\n` });

/** Who asks while others wait gets their answer: no number of questions makes more than one round of checks. */
function checked(checks: () => readonly Check[], setTimer: SetTimer): () => Promise<Answer> {
  let underWay: Promise<Answer> | undefined;
  async function ask(): Promise<Answer> {
    const reasons = await runChecks(checks(), setTimer);
    underWay = undefined;
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    return { status: reasons.length === 0 ? 200 : 503, headers, body: `${JSON.stringify({ status: reasons.length === 0 ? 'ok' : 'failing', reasons })}\n` };
  }
  return () => (underWay ??= ask());
}
