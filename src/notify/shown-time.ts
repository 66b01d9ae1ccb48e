/** `10:40 UTC`, with the day where it is another one than that of `at`. */
export function shownTime(time: string, at: string): string {
  const [then, now] = [new Date(time), new Date(at)];
  if (Number.isNaN(then.getTime())) return 'an unknown time';
  const [day = '', clock = ''] = then.toISOString().split('T');
  const isToday = !Number.isNaN(now.getTime()) && now.toISOString().startsWith(day);
  return `${isToday ? '' : `${day} `}${clock.slice(0, 5)} UTC`;
}

/** `6 min`, `26 h`, `4 d`: how long it is from one time to the other. */
export function shownSpan(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  if (Number.isNaN(seconds)) return 'an unknown time';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}
