import { Cron } from 'croner';
import type { AlertMatch, MuteWindow, Silence } from '../model/index.ts';

/** Why something is not told, and until when. */
export type Mute =
  | { readonly type: 'silence'; readonly id: string; readonly author: string; readonly reason: string; readonly until: string }
  | { readonly type: 'window'; readonly name: string; readonly until: string };

export interface ActiveMute {
  readonly match: AlertMatch;
  /** Undefined: all. */
  readonly rules: readonly string[] | undefined;
  readonly mute: Mute;
}

export interface MuteSettings {
  readonly silences?: readonly Silence[];
  readonly muteWindows?: readonly MuteWindow[];
}

/** What mutes something at a time, whoever it is that it mutes. */
export function activeMutes({ silences = [], muteWindows = [] }: MuteSettings, now: Date): readonly ActiveMute[] {
  const at = now.getTime();
  const silent = silences.filter(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until));
  return [
    ...silent.map(({ id, author, reason, until, match: { rules, ...match } }): ActiveMute => ({ match, rules, mute: { type: 'silence', id, author, reason, until } })),
    ...muteWindows.flatMap((window): readonly ActiveMute[] => {
      const until = windowEnd(window, now);
      return until === undefined ? [] : [{ match: window.match, rules: undefined, mute: { type: 'window', name: window.name, until: until.toISOString() } }];
    }),
  ];
}

/** When a window that is open ends; undefined where it is not. Its length is real time, whatever the clocks do meanwhile. */
function windowEnd({ cron, durationMs, timezone }: MuteWindow, now: Date): Date | undefined {
  const start = lastStart(cron, timezone, now);
  if (start === undefined) return undefined;
  const end = start.getTime() + durationMs;
  return now.getTime() < end ? new Date(end) : undefined;
}

function lastStart(cron: string, timezone: string, now: Date): Date | undefined {
  // The library looks before the second that it is given.
  const next = new Date(now.getTime() + 1000);
  try {
    return new Cron(cron, { timezone, mode: '5-part', paused: true }).previousRuns(1, next)[0];
  } catch {
    // What cannot be read mutes nothing.
    return undefined;
  }
}
