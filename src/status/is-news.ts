import { sameValue, type AppStatus, type Json } from '../model/index.ts';

/** Whether a status says anything but that it was looked at again. */
export function isNews(before: AppStatus, after: AppStatus): boolean {
  return (Object.keys(after) as (keyof AppStatus)[]).some((field) => field !== 'checkedAt' && !isSame(before[field], after[field]));
}

function isSame(before: unknown, after: unknown): boolean {
  return sameValue((before ?? null) as Json, (after ?? null) as Json);
}
