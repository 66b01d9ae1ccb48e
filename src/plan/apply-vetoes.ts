import { isSecretKind, isSoftware, parseResourceKey, resourceKey, type Diff, type FieldChange, type ResourceKey } from '../model/index.ts';
import type { Hold } from './candidate.ts';
import type { LiveFacts } from './live-facts.ts';
import type { PlanInput } from './plan-input.ts';
import type { Marks } from './read-marks.ts';
import { adoption, mayTakeFrom } from './take-from.ts';
import { whyContested } from './take-over.ts';
import { trackedApplication } from './tracking-id.ts';

/** Something that is not as Git wants it. */
export interface Wanting {
  readonly diff: Extract<Diff, { readonly type: 'missing' | 'changed' }>;
  readonly marks: Marks;
  readonly facts: LiveFacts | undefined;
}

/** Something live or wanted, whatever it differs in. */
interface Subject {
  readonly diff: { readonly key: ResourceKey };
  readonly marks: Marks;
  readonly facts: LiveFacts | undefined;
}

type Refusal = Pick<Hold, 'code' | 'why'>;
type Veto = (wanting: Wanting, input: PlanInput) => Refusal | undefined;

/** Managers under which Argo CD and Flux apply: both would put back what we change. */
const otherTools = /^(?:argocd|kustomize-controller$|helm-controller$|flux)/;

const vetoes: readonly Veto[] = [inLeavingNamespace, sharedWithAnother, heldByOtherTool, denied, contested];

/** Why it must not be applied; undefined where nothing speaks against it. */
export function vetoApply(wanting: Wanting, input: PlanInput): Refusal | undefined {
  for (const veto of vetoes) {
    const refusal = veto(wanting, input);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

export function inLeavingNamespace({ diff }: Pick<Subject, 'diff'>, { namespace, live }: PlanInput): Refusal | undefined {
  const { namespace: name } = parseResourceKey(diff.key);
  if (name === '') return undefined;
  const declared = live(resourceKey({ group: '', kind: 'Namespace', namespace: '', name }));
  const isLeaving = declared?.isDeleting === true || (name === namespace.name && namespace.state === 'terminating');
  return isLeaving ? { code: 'NamespaceTerminating', why: `its namespace ${name} is being deleted: what is made in it vanishes with it` } : undefined;
}

export function sharedWithAnother({ diff, facts, marks }: Subject, input: PlanInput): Refusal | undefined {
  const owner = trackedApplication(facts?.trackedBy, diff.key);
  if (owner === undefined || owner === input.application.id || mayTakeFrom(owner, marks, input)) return undefined;
  return { code: 'Shared', why: `the application ${owner} applied it too: keep it in one of them; from one that is gone the sync option Adopt=true takes it, from one that is there the annotation setpoint.dev/adopt: ${owner}` };
}

/** Who applies it beside us, or did before. */
export function otherToolOf({ holders, toolMark }: Pick<LiveFacts, 'holders' | 'toolMark'>): string | undefined {
  return holders.find((holder) => otherTools.test(holder)) ?? toolMark;
}

export function heldByOtherTool({ diff, facts, marks }: Subject, { application }: PlanInput): Refusal | undefined {
  const tool = facts === undefined ? undefined : otherToolOf(facts);
  const isOurs = trackedApplication(facts?.trackedBy, diff.key) === application.id;
  if (tool === undefined || isOurs || adoption(marks, application) === 'true') return undefined;
  return { code: 'OtherTool', why: `${tool} applies it: take it away from there, and annotate it here with setpoint.dev/adopt: "true"` };
}

function denied({ diff }: Wanting): Refusal | undefined {
  return diff.type === 'changed' && diff.obstacle?.type === 'denied' ? { code: 'Denied', why: diff.obstacle.message } : undefined;
}

/** An apply leaves out what others hold, so the rest of an object is still applied. A Secret is not: the server does not see who holds a key that is written as text. */
function contested({ diff }: Wanting): Refusal | undefined {
  if (diff.type !== 'changed') return undefined;
  const holders = (change: FieldChange): readonly string[] => (change.standing === 'contested' ? change.owners.map(({ manager }) => manager).filter(isSoftware) : []);
  const fields = diff.changes.flatMap((change) => holders(change).map((manager) => ({ field: change.display, manager })));
  const isSome = isSecretKind(parseResourceKey(diff.key)) ? fields.length > 0 : diff.changes.length > 0 && diff.changes.every((change) => holders(change).length > 0);
  return isSome ? { code: 'Contested', why: whyContested(fields) } : undefined;
}
