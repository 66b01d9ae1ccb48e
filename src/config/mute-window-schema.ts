import { Cron } from 'croner';
import { z } from 'zod';
import { shownText, type MuteWindow } from '../model/index.ts';
import { alertMatch } from './alert-match-schema.ts';
import { longestAlertTime } from './alert-rule-schema.ts';
import { duration, mapping, name, named, parsed } from './fields.ts';
import { nearestName } from './nearest-name.ts';

const shape = {
  name: name(),
  cron: parsed('five fields of cron for a time that comes: minute, hour, day of the month, month, day of the week', (given) => (comes(given) ? given.trim() : undefined)),
  duration: duration('1m', longestAlertTime),
  timezone: timezone().prefault('UTC'),
  match: alertMatch.prefault({}),
};

export const muteWindowKeys = Object.keys(shape);

const muteWindow = mapping(shape, 'a mute window: a mapping with name, cron and duration').transform(({ duration: durationMs, ...rest }): MuteWindow => ({ ...rest, durationMs }));

export const muteWindowsSchema = named(muteWindow, 'mute window');

function comes(cron: string): boolean {
  // The library also takes dates, @daily and fields for seconds and years.
  if (cron.trim().split(/\s+/).length !== 5) return false;
  try {
    // Some pass and never come: the 31st of February. The epoch keeps the answer the same at all times.
    return new Cron(cron, { paused: true, mode: '5-part', timezone: 'UTC' }).nextRun(new Date(0)) !== null;
  } catch {
    return false;
  }
}

function timezone() {
  const wanted = 'a time zone, such as Europe/Berlin';
  return z.string({ error: wanted }).superRefine((given, context) => {
    if (isTimezone(given)) return;
    const nearest = nearestName(given, Intl.supportedValuesOf('timeZone'));
    context.addIssue({ code: 'custom', message: wanted, ...(nearest !== undefined && { params: { got: `${shownText(given)}: did you mean ${nearest}?` } }) });
  });
}

/** Offsets such as +02:00 are understood too, and know no summer time. */
function isTimezone(given: string): boolean {
  try {
    return /^[A-Za-z]/.test(given) && new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
