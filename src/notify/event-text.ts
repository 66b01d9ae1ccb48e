import { stringifyJson, type Json, type Notification } from '../model/index.ts';
import { cloudEvent } from './cloud-event.ts';

export const maxEventBytes = 20_000;

// A hundred resources do not fit, whatever they are called.
const mostResources = 100;

/** The event as it is sent, within its limit: patches go first, then resources from the end, then subjects. */
export function eventText(notification: Notification, source: string | undefined): string {
  const all = { hasPatches: true, resources: mostResources, subjects: notification.subjects.length };
  const isWhole = notification.subjects.reduce((sum, { resources }) => sum + resources.length, 0) <= mostResources;
  const textTo = (extent: Partial<typeof all>): string => asText(cloudEvent(notification, source, { ...all, ...extent }));
  const fits = (text: string): boolean => Buffer.byteLength(text) <= maxEventBytes;
  const whole = isWhole ? textTo({}) : undefined;
  if (whole !== undefined && fits(whole)) return whole;
  const resources = largest(mostResources, (count) => fits(textTo({ hasPatches: false, resources: count })));
  if (resources !== undefined) return textTo({ hasPatches: false, resources });
  const subjects = largest(all.subjects, (count) => fits(textTo({ hasPatches: false, resources: 0, subjects: count }))) ?? 0;
  return textTo({ hasPatches: false, resources: 0, subjects });
}

/** The largest number up to `most` that is fine, where all below one that is fine are so too; undefined where 0 is not. */
function largest(most: number, isFine: (count: number) => boolean): number | undefined {
  if (!isFine(0)) return undefined;
  let [fine, tooMany] = [0, most + 1];
  while (tooMany - fine > 1) {
    const middle = Math.floor((fine + tooMany) / 2);
    if (isFine(middle)) fine = middle;
    else tooMany = middle;
  }
  return fine;
}

/** Signs that turn the direction of writing are written by their numbers: the same value, and nobody who looks at it is misled. */
function asText(event: object): string {
  return stringifyJson(event as Json).replaceAll(/[\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''));
}
