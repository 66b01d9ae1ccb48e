/** What clocks and calendars have to show: the numbers that each field allows. */
export interface Cron {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Where both kinds of days are given, one of them is enough: so cron has always done. */
  readonly eitherDay: boolean;
}

interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

const fields: readonly [Field, Field, Field, Field, Field] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of the month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { name: 'day of the week', from: 0, to: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

/** Five fields of lists, ranges, steps and English names. Undefined where the text is none of this. */
export function parseCron(text: string): Cron | undefined {
  const parts = text.trim().split(/\s+/);
  const read = fields.map((field, index) => parseField(parts[index] ?? '', field));
  const [minutes, hours, days, months, weekdays] = read;
  if (parts.length !== fields.length) return undefined;
  if (minutes === undefined || hours === undefined || days === undefined || months === undefined || weekdays === undefined) return undefined;
  const [, , dayText = '', , weekdayText = ''] = parts;
  const isRestricted = (field: string): boolean => !field.startsWith('*') && field !== '?';
  return {
    minutes,
    hours,
    days,
    months,
    weekdays: new Set([...weekdays].map((day) => day % 7)),
    eitherDay: isRestricted(dayText) && isRestricted(weekdayText),
  };
}

function parseField(text: string, field: Field): ReadonlySet<number> | undefined {
  const allowed = new Set<number>();
  for (const item of text.split(',')) {
    const range = parseItem(item, field);
    if (range === undefined) return undefined;
    for (let value = range.from; value <= range.to; value += range.step) allowed.add(value);
  }
  return allowed;
}

function parseItem(item: string, field: Field): { readonly from: number; readonly to: number; readonly step: number } | undefined {
  const [range = '', stepText, ...rest] = item.split('/');
  const step = stepText === undefined ? 1 : wholeNumber(stepText);
  if (rest.length > 0 || step === undefined || step === 0) return undefined;
  if (range === '*' || range === '?') return { from: field.from, to: field.name === 'day of the week' ? 6 : field.to, step };
  const [first = '', last, ...more] = range.split('-');
  const from = valueOf(first, field);
  // `5/10` goes on to the end, `5` does not.
  const to = last === undefined ? (stepText === undefined ? from : field.to) : valueOf(last, field);
  if (more.length > 0 || from === undefined || to === undefined || from > to) return undefined;
  return { from, to, step };
}

function valueOf(text: string, { from, to, names = [] }: Field): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return named + from;
  const value = wholeNumber(text);
  return value === undefined || value < from || value > to ? undefined : value;
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}
