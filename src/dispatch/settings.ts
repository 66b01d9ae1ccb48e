import { activeMutes, type ActiveMute } from '../alert/index.ts';
import type { AlertRule, Application, ApplicationMute, MuteWindow, Silence } from '../model/index.ts';

/** What is worth telling, whom, and when not. */
export interface AlertSettings {
  readonly rules: readonly AlertRule[];
  readonly muteWindows: readonly MuteWindow[];
}

interface Silencing extends AlertSettings {
  readonly silences: readonly Silence[];
}

/** What mutes something at a time, by application: windows and silences are worked out once for all, and one that somebody muted mutes no other. */
export function mutesAt({ muteWindows, silences }: Silencing, now: Date): (application: Application) => readonly ActiveMute[] {
  const ofAll = activeMutes({ muteWindows, silences }, now);
  const own = new Map<string, readonly ActiveMute[]>();
  return ({ id, mute }) => {
    if (mute === undefined) return ofAll;
    const known = own.get(id) ?? [...activeMutes({ silences: [silenceOf(id, mute)] }, now), ...ofAll];
    own.set(id, known);
    return known;
  };
}

function silenceOf(id: string, mute: ApplicationMute): Silence {
  return { id: `mute/${id}`, match: { applications: [id] }, from: '1970-01-01T00:00:00.000Z', ...mute };
}
