import type {
  AgreedState,
  AgreedStates,
  Cause,
  Diff,
  Finding,
  JudgedResource,
  Judgement,
  KubeObject,
  Schema,
  Verdict,
} from '../model/index.ts';
import { liveMoved } from './agreed-state.ts';
import type { Leftover } from './leftovers.ts';

/** A Diff with what to remember of both sides, worked out only where somebody remembers; null where there is no live side. */
export interface ComparedResource {
  readonly diff: Diff;
  readonly state: (() => AgreedState) | null;
  /** The first part of the state, which costs nothing. */
  readonly desiredHash?: string;
  /** What to apply, where it is not what Git says word for word: what may differ is left as it is live. */
  readonly wanted?: KubeObject;
  /** Of its kind, where only some of what differs may be put back. */
  readonly schema?: Schema;
  /** What an apply leaves and a sync takes away. */
  readonly leftovers?: readonly Leftover[];
  /** What is worth saying of it although it is no difference. */
  readonly notice?: string;
}

interface Look {
  readonly commit: string | null;
  readonly compared: readonly ComparedResource[];
  readonly findings: readonly Finding[];
}

/** One resource's trouble never hides the others: a difference that was seen outweighs a resource that was not. */
export function judge({ commit, compared, findings }: Look, agreed: AgreedStates): Judgement {
  const resources = compared.map((resource) => withCause(resource, agreed[resource.diff.key]));
  return { verdict: verdictOf(resources, findings), commit, resources, findings };
}

function verdictOf(resources: readonly JudgedResource[], findings: readonly Finding[]): Verdict {
  const causes = new Set(resources.flatMap(({ cause }) => cause ?? []));
  const [only] = causes;
  if (only !== undefined) return { status: 'OutOfSync', cause: causes.size === 1 ? only : 'both' };
  const unknown = resources.flatMap(({ diff }) => (diff.type === 'unknown' ? [diff] : []));
  const unread = findings.flatMap((finding) => (finding.severity === 'error' ? [{ ...finding, code: 'InvalidManifest' as const }] : []));
  const obstacles = unknown.length > 0 ? unknown : unread;
  const [first] = obstacles;
  if (first === undefined) return { status: 'Synced' };
  const others = obstacles.length > 1 ? ` (and ${obstacles.length - 1} more)` : '';
  return { status: 'Unknown', code: first.code, message: `${first.origin}: ${first.message}${others}` };
}

function withCause({ diff, state, desiredHash }: ComparedResource, agreed: AgreedState | undefined): JudgedResource {
  switch (diff.type) {
    case 'same':
    case 'unknown':
      return { diff };
    case 'invalid':
      // Git asks for something that this cluster cannot have.
      return { diff, cause: 'git-ahead' };
    case 'missing':
    case 'terminating':
      return { diff, cause: agreed === undefined ? 'git-ahead' : 'live-changed' };
    case 'changed':
      return { diff, cause: causeOfChange({ diff, state, desiredHash, agreed }) };
  }
}

interface Change {
  readonly diff: Extract<Diff, { type: 'changed' }>;
  readonly state: ComparedResource['state'];
  readonly desiredHash: string | undefined;
  readonly agreed: AgreedState | undefined;
}

function causeOfChange({ diff, state, desiredHash, agreed }: Change): Cause {
  if (agreed === undefined || state === null) return 'git-ahead';
  if (agreed.desired === desiredHash) return 'live-changed';
  const now = state();
  if (agreed.desired === now.desired) return 'live-changed';
  return liveMoved(agreed, now, diff.patch) ? 'both' : 'git-ahead';
}
