import type { SyncWindow } from '../../model/index.ts';
import { parseCron, type Cron } from './parse-cron.ts';
import { createZoneClock, type ZoneClock } from './zone-clock.ts';

export type WindowState = 'open' | 'shut' | 'unreadable';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Whether a window is open at a time: it last opened less than its length ago. */
export function windowState({ schedule, durationMs, timeZone }: SyncWindow, now: Date): WindowState {
  const cron = parseCron(schedule);
  const clock = createZoneClock(timeZone);
  if (cron === undefined || clock === undefined || !(durationMs > 0)) return 'unreadable';
  return opened({ cron, clock, from: now.getTime() - durationMs, to: now.getTime() }) ? 'open' : 'shut';
}

interface Span {
  readonly cron: Cron;
  readonly clock: ZoneClock;
  /** Not in it. */
  readonly from: number;
  readonly to: number;
}

// No clocks are put further at once than this, but where a zone changes its date.
const marginMs = 3 * 60 * minuteMs;

/** From the latest time back: a window that opens often is found at once. */
function opened({ cron, clock, from, to }: Span): boolean {
  const [first, last] = [clock.readingAt(from) - marginMs, clock.readingAt(to) + marginMs];
  const isIn = (instant: number): boolean => instant > from && instant <= to;
  for (let day = startOfDay(last); day >= startOfDay(first); day -= dayMs) {
    const readings = isDayOf(cron, new Date(day)) ? readingsOf(cron, day) : [];
    if (readings.some((reading) => reading >= first && reading <= last && clock.instantsOf(reading).some(isIn))) return true;
  }
  return false;
}

function startOfDay(reading: number): number {
  return Math.floor(reading / dayMs) * dayMs;
}

function isDayOf(cron: Cron, day: Date): boolean {
  if (!cron.months.has(day.getUTCMonth() + 1)) return false;
  const [inMonth, inWeek] = [cron.days.has(day.getUTCDate()), cron.weekdays.has(day.getUTCDay())];
  return cron.eitherDay ? inMonth || inWeek : inMonth && inWeek;
}

function readingsOf({ hours, minutes }: Cron, day: number): readonly number[] {
  const readings = [...hours].flatMap((hour) => [...minutes].map((minute) => day + (hour * 60 + minute) * minuteMs));
  return readings.toSorted((a, b) => b - a);
}
