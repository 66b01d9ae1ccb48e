/** The clocks of one time zone. Readings are milliseconds as if they were UTC: only their difference to real time means something. */
export interface ZoneClock {
  readingAt(instant: number): number;
  /** When the clocks show it: twice where they are put back, and where they skip it as if they had not been put forward. */
  instantsOf(reading: number): readonly number[];
}

const dayMs = 86_400_000;

/** Undefined where there is no such zone. */
export function createZoneClock(timeZone: string): ZoneClock | undefined {
  const format = formatOf(timeZone);
  if (format === undefined) return undefined;
  const readingAt = (instant: number): number => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  };
  const offsetAt = (instant: number): number => readingAt(instant) - Math.floor(instant / 1000) * 1000;
  return {
    readingAt,
    instantsOf(reading) {
      // No zone changes its clocks twice in two days.
      const [before, after] = [offsetAt(reading - dayMs), offsetAt(reading + dayMs)];
      const shown = [...new Set([reading - before, reading - after])].filter((instant) => readingAt(instant) === reading);
      return shown.length > 0 ? shown.toSorted((a, b) => a - b) : [reading - before];
    },
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' });
  } catch {
    return undefined;
  }
}
