import { expect, test } from 'vitest';
import { askServer } from '../../../src/cluster/ask-server.ts';
import type { ApiStream } from '../../../src/cluster/transport.ts';

const signal = new AbortController().signal;

/** A server that takes so long for each answer, and says so. The time of this test passes with the answers. */
function serverOf(roundTrips: readonly number[], { date, body = '{"gitVersion":"v1.36.3"}', status = 200 }: { readonly date?: (nowMs: number) => Date; readonly body?: string; readonly status?: number }) {
  const start = Date.parse('2026-03-01T12:00:00Z');
  let passed = 0;
  let asked = 0;
  async function* parts(): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    yield Buffer.from(body.slice(0, 5));
    yield Buffer.from(body.slice(5));
  }
  return {
    clocks: { now: () => start + passed, monotonic: () => passed },
    transport: {
      stream(): Promise<ApiStream> {
        const roundTrip = roundTrips[asked] ?? 0;
        asked += 1;
        const middle = start + passed + roundTrip / 2;
        passed += roundTrip;
        return Promise.resolve({ status, body: parts(), ...(date === undefined ? {} : { date: date(middle) }) });
      },
    },
  };
}

const cutOff = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000);

test('the shortest of three questions tells the distance and the difference of the clocks', async () => {
  const { transport, clocks } = serverOf([900, 40, 300], { date: (now) => cutOff(now + 60_000) });
  const { version, roundTripMs, clockAheadMs } = await askServer(transport, clocks, signal);
  expect({ version, roundTripMs }).toEqual({ version: 'v1.36.3', roundTripMs: 40 });
  expect(Math.abs((clockAheadMs ?? 0) - 60_000)).toBeLessThanOrEqual(500);
});

test('without a date nothing is said about the clock', async () => {
  const { transport, clocks } = serverOf([1, 1, 1], {});
  expect((await askServer(transport, clocks, signal)).clockAheadMs).toBeUndefined();
});

test.each([
  ['a page of something else', { body: '<html>', status: 200 }],
  ['a refusal', { body: '{}', status: 403 }],
  ['no version', { body: '{}', status: 200 }],
])('%s is no answer', async (_name, answer) => {
  const { transport, clocks } = serverOf([1], answer);
  await expect(askServer(transport, clocks, signal)).rejects.toThrow(`the cluster does not say its version: it answered ${answer.status}`);
});
