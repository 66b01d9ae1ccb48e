import { childOf, parseJsonOrUndefined, SetpointError } from '../model/index.ts';
import type { Transport } from './transport.ts';

export interface ServerFacts {
  /** Such as `v1.36.3`. */
  readonly version: string;
  /** The shortest of a few questions. */
  readonly roundTripMs: number;
  /** How far its clock is ahead of ours, to about a second; undefined where it does not say. */
  readonly clockAheadMs: number | undefined;
}

interface Clocks {
  readonly now: () => number;
  /** Never jumps. */
  readonly monotonic: () => number;
}

const questions = 3;
// The header has whole seconds, cut off: on average the clock is half a second further.
const cutOffMs = 500;

/** What the API server says of itself. Anyone may ask. */
export async function askServer(transport: Pick<Transport, 'stream'>, { now, monotonic }: Clocks, signal: AbortSignal): Promise<ServerFacts> {
  let best: ServerFacts | undefined;
  for (let asked = 0; asked < questions; asked += 1) {
    const [started, startedAt] = [monotonic(), now()];
    const { status, date, body } = await transport.stream({ method: 'GET', path: '/version', signal });
    const roundTripMs = monotonic() - started;
    const text = await wholeOf(body);
    const version = status === 200 ? childOf(parseJsonOrUndefined(text), 'gitVersion') : undefined;
    if (typeof version !== 'string') throw new SetpointError('ClusterError', `the cluster does not say its version: it answered ${status}`);
    const clockAheadMs = date === undefined ? undefined : date.getTime() + cutOffMs - (startedAt + roundTripMs / 2);
    if (best === undefined || roundTripMs < best.roundTripMs) best = { version, roundTripMs, clockAheadMs };
  }
  if (best === undefined) throw new RangeError('at least one question is asked');
  return best;
}

async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
