import type { MuteSettings } from '../alert/index.ts';
import type { AlertRule, Application, MuteWindow, Silence } from '../model/index.ts';

/** What is worth telling, whom, and when not. */
export interface AlertSettings {
  readonly rules: readonly AlertRule[];
  readonly muteWindows: readonly MuteWindow[];
}

interface Silencing extends AlertSettings {
  readonly silences: readonly Silence[];
  readonly applications: readonly Application[];
}

/** All that mutes something: windows, silences, and applications that somebody muted. */
export function muteSettings({ muteWindows, silences, applications }: Silencing): MuteSettings {
  return { muteWindows, silences: [...silences, ...applications.flatMap(silenceOf)] };
}

function silenceOf({ id, mute }: Application): readonly Silence[] {
  if (mute === undefined) return [];
  return [{ id: `mute/${id}`, match: { applications: [id] }, from: '1970-01-01T00:00:00.000Z', ...mute }];
}
