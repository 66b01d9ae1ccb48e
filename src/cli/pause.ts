import { parseDuration } from '../config/index.ts';
import { SetpointError, type ApplicationPause } from '../model/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { oneLine, printable } from './format/index.ts';
import { untilInterrupted } from './status-interrupt.ts';
import { openStatusSource, type PlaceFlags } from './status-place.ts';

export interface PauseFlags extends PlaceFlags {
  readonly app: string;
  readonly until?: string;
  readonly for?: string;
  readonly reason?: string;
}

export async function runPause(flags: PauseFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const pause = pauseFrom(flags, new Date());
  const signal = untilInterrupted(process);
  await using source = await openStatusSource(flags, surroundings(process));
  const { id, mode } = await source.find(flags, signal);
  await source.setPause(id, pause, signal);
  const end = pause.until === undefined ? 'until setpoint resume' : `until ${pause.until}`;
  const idle = mode === 'alert' ? '; nothing was changed by itself before either' : '';
  output.write(`${printable(id)} is paused ${end}${pause.reason === undefined ? '' : ` (${oneLine(pause.reason)})`}${idle}\n`);
  finish(exitCode.done);
}

export async function runResume(flags: PlaceFlags & { readonly app: string }, { process, output, finish }: CliDependencies): Promise<void> {
  const signal = untilInterrupted(process);
  await using source = await openStatusSource(flags, surroundings(process));
  const { id, pause } = await source.find(flags, signal);
  await source.setPause(id, undefined, signal);
  output.write(`${printable(id)} ${pause === undefined ? 'was not paused' : 'is no longer paused'}\n`);
  finish(exitCode.done);
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** A pause that would be over before it begins is a mistake of who asks for it. */
export function pauseFrom({ until, for: lasting, reason }: Pick<PauseFlags, 'until' | 'for' | 'reason'>, now: Date): ApplicationPause {
  if (lasting !== undefined) {
    const end = new Date(now.getTime() + parseDuration(lasting));
    if (!(end > now && end.getUTCFullYear() < 10_000)) throw new SetpointError('Usage', `--for wants more than nothing, and an end before the year 10000, got ${lasting}`);
    return { until: end.toISOString(), reason };
  }
  if (until === undefined) return { until: undefined, reason };
  const end = rfc3339.test(until) ? Date.parse(until) : Number.NaN;
  if (Number.isNaN(end)) throw new SetpointError('Usage', `--until wants a time with its zone, such as 2026-01-31T18:00:00Z, got ${until === '' ? 'nothing' : until}`);
  if (end <= now.getTime()) throw new SetpointError('Usage', `--until wants a time to come, got ${until}`);
  return { until: new Date(end).toISOString(), reason };
}

function surroundings(process: NodeJS.Process): Parameters<typeof openStatusSource>[1] {
  return { env: process.env, now: () => new Date(), warn: (text) => void process.stderr.write(`setpoint: ${oneLine(text)}\n`) };
}
