import { setTimeout as sleep } from 'node:timers/promises';
import { parseDuration } from '../config/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { oneLine, printable } from './format/index.ts';
import { untilInterrupted } from './status-interrupt.ts';
import type { StatusItem } from './status-item.ts';
import { openStatusSource, type PlaceFlags } from './status-place.ts';
import type { StatusSource } from './status-source.ts';

export interface RefreshFlags extends PlaceFlags {
  readonly app: string;
  readonly wait: boolean;
  readonly timeout: string;
}

const askAgainMs = 500;

export async function runRefresh(flags: RefreshFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const timeoutMs = parseDuration(flags.timeout);
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const signal = untilInterrupted(process);
  await using source = await openStatusSource(flags, { env: process.env, now: () => new Date(), warn });
  const { id } = await source.find(flags, signal);
  const wish = new Date().toISOString();
  await source.askForLook(id, wish, signal);
  if (!flags.wait) {
    output.write(`${printable(id)} will be looked at\n`);
    return finish(exitCode.done);
  }
  const seen = await whenLooked({ source, id, wish, timeoutMs }, signal);
  if (seen === undefined) {
    warn(`${id} was not looked at within ${flags.timeout}: is the agent running? setpoint doctor tells`);
    return finish(exitCode.timeout);
  }
  const { verdict } = seen;
  const why = verdict.status === 'OutOfSync' ? ` (${verdict.cause})` : verdict.status === 'Unknown' ? `: ${oneLine(verdict.message)}` : '';
  output.write(`${printable(id)} was looked at: ${verdict.status}${why}\n`);
  finish(exitCode.done);
}

interface Waiting {
  readonly source: Pick<StatusSource, 'find'>;
  readonly id: string;
  readonly wish: string;
  readonly timeoutMs: number;
}

/** The application once the agent has answered the wish; undefined where it does not in time. */
async function whenLooked({ source, id, wish, timeoutMs }: Waiting, signal: AbortSignal): Promise<StatusItem | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const item = await source.find({ app: id }, signal);
    if (hasSeen(item.status.observedRefresh, wish)) return item;
    const left = deadline - performance.now();
    if (left <= 0) return undefined;
    await sleep(Math.min(askAgainMs, left), undefined, { signal });
  }
}

/** The agent answers with both vocabularies at once: ours comes first. A later wish than ours serves as well. */
export function hasSeen(observed: string | null, wish: string): boolean {
  const [first = ''] = (observed ?? '').split(' ');
  return first === wish || Date.parse(first) > Date.parse(wish);
}
