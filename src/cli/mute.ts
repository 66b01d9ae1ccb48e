import { randomBytes } from 'node:crypto';
import { parseDuration } from '../config/index.ts';
import { SetpointError } from '../model/index.ts';
import { openAlertsSource, type AlertsPlaceFlags } from './alerts-place.ts';
import type { AlertedItem, AlertsSource } from './alerts-source.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { oneLine, printable } from './format/index.ts';
import { matchFrom, matchText } from './mute-matchers.ts';
import { pauseFrom } from './pause.ts';
import { untilInterrupted } from './status-interrupt.ts';

export interface MuteFlags extends AlertsPlaceFlags {
  readonly app?: string | undefined;
  readonly matcher: readonly string[];
  readonly until?: string;
  readonly for?: string;
  readonly reason?: string;
  readonly off?: boolean;
}

const longestHours = 744;

export async function runMute(flags: MuteFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const { app, matcher, off = false } = flags;
  if (app !== undefined && matcher.length > 0) throw new SetpointError('Usage', `name an application or give --matcher, not both: --matcher app=${app} does what is meant`);
  if (off && app === undefined) throw new SetpointError('Usage', '--off wants an application: setpoint silences end ID ends a silence');
  const now = new Date();
  const wanted = off ? undefined : muteFrom(flags, now);
  const match = app === undefined ? matchFrom(matcher) : undefined;
  const signal = untilInterrupted(process);
  await using source = await openAlertsSource(flags, { process });
  if (app !== undefined) {
    const { application } = await findOne(source, { ...flags, app }, signal);
    const id = printable(application.id);
    if (wanted === undefined) {
      await source.setMute(application.id, undefined, signal);
      output.write(`${id} ${application.mute === undefined ? 'was not muted' : 'is no longer muted'}\n`);
    } else {
      await source.setMute(application.id, { ...wanted, author: await source.author(signal) }, signal);
      output.write(`${id} is muted until ${wanted.until} (${oneLine(wanted.reason)})\n`);
    }
  } else if (wanted !== undefined && match !== undefined) {
    const id = `sil-${randomBytes(5).toString('hex')}`;
    const [author, keeper] = [await source.author(signal), await source.usualKeeper(signal)];
    await source.silencesOf(keeper).add({ id, match, from: now.toISOString(), ...wanted, author }, signal);
    output.write(`${id} mutes ${printable(matchText(match))} until ${wanted.until} (${oneLine(wanted.reason)})\n`);
  }
  finish(exitCode.done);
}

/** Who is not told wants to know until when, and why. */
export function muteFrom({ until, for: lasting, reason = '' }: Pick<MuteFlags, 'until' | 'for' | 'reason'>, now: Date): { readonly until: string; readonly reason: string } {
  if (reason.trim() === '') throw new SetpointError('Usage', '--reason is wanted: others will wonder why nothing is told');
  const tooLong = (got: string): SetpointError => new SetpointError('Usage', `a mute lasts ${longestHours}h (31 days) at most, got ${got}: what may differ for good belongs into ignore rules`);
  if (lasting !== undefined && parseDuration(lasting) > longestHours * 3_600_000) throw tooLong(`--for ${lasting}`);
  if (lasting !== undefined && parseDuration(lasting) <= 0) throw new SetpointError('Usage', `--for wants more than nothing, got ${lasting}`);
  const end = pauseFrom({ ...(until !== undefined && { until }), ...(lasting !== undefined && { for: lasting }) }, now).until;
  if (end === undefined) throw new SetpointError('Usage', 'how long? Give --for, such as 1h, or --until, such as 2026-01-31T18:00:00Z');
  if (Date.parse(end) - now.getTime() > longestHours * 3_600_000) throw tooLong(`--until ${end}`);
  return { until: end, reason };
}

async function findOne(source: AlertsSource, question: MuteFlags & { readonly app: string }, signal: AbortSignal): Promise<AlertedItem> {
  const { app, namespace } = question;
  const found = await source.read({ app, namespace }, signal);
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) throw new SetpointError('Usage', `${app} may be any of ${found.map(({ application }) => application.id).join(', ')}: name one of them`);
  return only;
}
