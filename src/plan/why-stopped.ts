import { displayKey, isPaused } from '../model/index.ts';
import { sharedWithAnother } from './apply-vetoes.ts';
import type { Hold } from './candidate.ts';
import { isPlanHash } from './confirmation.ts';
import type { PlanInput } from './plan-input.ts';
import { readMarks, unmarked } from './read-marks.ts';
import { optionOf } from './sync-options.ts';
import { whyOutsideWindows } from './window/why-outside-windows.ts';

export type Stop = Pick<Hold, 'code' | 'why' | 'confirm'>;

/** Why nothing at all is done now; undefined where something may be. */
export function whyStopped(input: PlanInput, hash: string): Stop | undefined {
  return whyPaused(input) ?? whyHalfRead(input) ?? whyShared(input) ?? (input.operation === undefined ? whyNotBegun(input, hash) : undefined);
}

export function whyPaused({ application: { pause }, now }: PlanInput): Stop | undefined {
  if (pause === undefined || !isPaused(pause, now)) return undefined;
  return { code: 'Paused', why: `paused${pause.until === undefined ? '' : ` until ${pause.until}`}${pause.reason === undefined ? '' : `: ${pause.reason}`}` };
}

/** Half of a commit may be worse than none of it, and a hook that is not run is half of one. */
function whyHalfRead({ findings, manifests }: PlanInput): Stop | undefined {
  const unread = findings.find(({ severity }) => severity === 'error');
  if (unread !== undefined) return { code: 'HalfRead', why: `nothing is applied while ${unread.origin} cannot be read` };
  for (const { key, object } of manifests) {
    const { role, problems } = readMarks(object);
    if (role === 'hook' && problems[0] !== undefined) return { code: 'HalfRead', why: `nothing is applied while the hook ${displayKey(key)} cannot be read: ${problems[0]}` };
  }
  return undefined;
}

function whyShared(input: PlanInput): Stop | undefined {
  if (optionOf('FailOnSharedResource', {}, input.application.syncOptions) !== 'true') return undefined;
  const objects = new Map(input.manifests.map(({ key, object }) => [key, object]));
  for (const { diff } of input.judged.values()) {
    const object = objects.get(diff.key);
    const refusal = sharedWithAnother({ diff, facts: input.live(diff.key), marks: object === undefined ? unmarked : readMarks(object) }, input);
    if (refusal !== undefined) return { ...refusal, why: `${displayKey(diff.key)}: ${refusal.why} (FailOnSharedResource)` };
  }
  return undefined;
}

/** What was begun is carried through: half a sync at the end of a window is worse than one that ends late. */
function whyNotBegun({ application, request, now }: PlanInput, hash: string): Stop | undefined {
  const outside = whyOutsideWindows({ windows: application.syncWindows ?? [], isByHand: request !== undefined, now });
  if (outside !== undefined) return { code: 'OutsideWindow', why: outside };
  const approved = request?.approve?.filter(isPlanHash) ?? [];
  return approved.length === 0 || approved.includes(hash) ? undefined : { code: 'NeedsApproval', why: 'another plan was approved than the one that is due now', confirm: hash };
}
