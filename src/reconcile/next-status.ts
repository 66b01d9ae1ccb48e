import { advanceEpisodes } from '../alert/index.ts';
import type { ComparedResource } from '../diff/index.ts';
import type { AgreedStates, AppStatus, Diff, Judgement, JudgedResource, ResourceStatus, Verdict } from '../model/index.ts';

interface Seen {
  readonly judgement: Judgement;
  readonly compared: readonly ComparedResource[];
  readonly now: string;
  readonly newId: string;
  readonly announce: boolean;
}

export type Observed = AppStatus & { readonly verdict: Verdict };

const listedResources = 50;

/** The status after a look, from the status before it. */
export function nextStatus(before: AppStatus, { judgement, compared, now, newId, announce }: Seen): Observed {
  const { verdict, commit, resources, findings } = judgement;
  // Nothing was compared: what was known of the resources stays known, with its age.
  const blind = verdict.status === 'Unknown' && resources.length === 0;
  const differing = resources.flatMap((resource) => describe(resource, before, now));
  const observed: Observed = {
    ...before,
    verdict,
    commit: commit ?? before.commit,
    checkedAt: now,
    ...(blind ? {} : { declared: resources.length, notListed: Math.max(0, differing.length - listedResources) }),
    resources: blind ? before.resources : differing.slice(0, listedResources),
    foreign: blind ? before.foreign : resources.flatMap(foreignOf).slice(0, listedResources),
    findings,
    agreed: blind ? before.agreed : agreedAfter(before.agreed, compared),
  };
  return { ...observed, ...advanceEpisodes({ status: observed, now, newId, announce }) };
}

function foreignOf({ diff }: JudgedResource): AppStatus['foreign'] {
  return 'foreign' in diff ? diff.foreign.map((field) => ({ key: diff.key, ...field })) : [];
}

function describe({ diff, cause }: JudgedResource, before: AppStatus, now: string): readonly ResourceStatus[] {
  if (diff.type === 'same') return [];
  const earlier = before.resources.find(({ key, type }) => key === diff.key && type === diff.type);
  return [
    {
      key: diff.key,
      origin: diff.origin,
      type: diff.type,
      ...(cause === undefined ? {} : { cause }),
      since: earlier?.since ?? now,
      ...messageOf(diff),
      ...('patch' in diff ? { patch: diff.patch } : {}),
      ...('changes' in diff ? { changes: diff.changes } : {}),
    },
  ];
}

/** What is to be said of a resource besides its fields. */
function messageOf(diff: Diff): { readonly message?: string } {
  if ('message' in diff) return { message: diff.message };
  if (diff.type === 'missing') return diff.waitsFor === undefined ? {} : { message: `waits for ${diff.waitsFor}` };
  if (diff.type !== 'changed') return {};
  const { obstacle, unconfirmed } = diff;
  if (obstacle?.type === 'replace') return { message: `sync would need to delete and create it: ${obstacle.message}` };
  if (obstacle?.type === 'denied') return { message: `sync would be denied: ${obstacle.message}` };
  return unconfirmed === undefined ? {} : { message: `not confirmed by the server: ${unconfirmed}` };
}

/** A resource that differs or could not be compared keeps what was last agreed on; one that Git no longer has is forgotten. */
function agreedAfter(before: AgreedStates, compared: readonly ComparedResource[]): AgreedStates {
  return Object.fromEntries(
    compared.flatMap(({ diff, state }) => {
      const agreed = diff.type === 'same' ? (state?.() ?? before[diff.key]) : before[diff.key];
      return agreed === undefined ? [] : [[diff.key, agreed]];
    }),
  );
}
