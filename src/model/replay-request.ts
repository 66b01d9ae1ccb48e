import type { ReplayRequest } from './application-spec.ts';

/** One notification that was asked for, and when. */
interface Asked {
  readonly notification: string;
  /** Makes the request another one than the last for the same notification. */
  readonly at: string;
}

const part = /^([\w.-]{1,128})(?:@([\w.:+-]{1,64}))?$/;
const most = 50;

/** `evt_1@2026-01-31T18:00:00Z,evt_2@…`: undefined where it is something else. The whole text is what makes it another request. */
export function replayIn(text: string): ReplayRequest | undefined {
  const asked = partsIn(text);
  if (asked.length === 0 || asked.length > most || asked.includes(undefined)) return undefined;
  return { id: text, notifications: [...new Set(asked.flatMap((one) => one?.notification ?? []))] };
}

/** What was asked for before stays asked for, as far as `isOpen` says so. */
export function replayText(added: readonly Asked[], { before = '', isOpen }: { readonly before?: string | undefined; readonly isOpen: (asked: Asked) => boolean }): string {
  const earlier = partsIn(before).filter((one) => one !== undefined).filter((one) => isOpen(one) && !added.some(({ notification }) => notification === one.notification));
  return [...earlier, ...added].slice(-most).map(({ notification, at }) => `${notification}@${at}`).join(',');
}

function partsIn(text: string): readonly (Asked | undefined)[] {
  return text.split(',').map((each) => {
    const [, notification, at = ''] = part.exec(each) ?? [];
    return notification === undefined ? undefined : { notification, at };
  });
}
