import { resourceKey, retryOf, type Health, type JudgedResource, type KubeObject, type ResourceKey, type Step } from '../model/index.ts';
import { heldByOtherTool, sharedWithAnother, vetoApply } from './apply-vetoes.ts';
import { held, isAct, type Candidate } from './candidate.ts';
import { driftModes } from './drift-modes.ts';
import type { LiveFacts } from './live-facts.ts';
import type { PlanInput } from './plan-input.ts';
import { readMarks, unmarked, type Marks } from './read-marks.ts';
import { replaceObject } from './replace-object.ts';
import { optionOf } from './sync-options.ts';
import { trackingId } from './tracking-id.ts';
import { waveLimit } from './wave-timeout.ts';

interface Resource {
  readonly judged: JudgedResource;
  readonly marks: Marks;
  readonly facts: LiveFacts | undefined;
  readonly place: { readonly key: ResourceKey; readonly phase: 'Sync'; readonly wave: number };
}

/** What is to be done about each resource that Git declares, hooks aside. */
export function resourceCandidates(input: PlanInput): readonly Candidate[] {
  const objects = new Map(input.manifests.map(({ key, object }) => [key, object]));
  return [...input.judged.values()].flatMap((judged) => {
    const object = objects.get(judged.diff.key) ?? (judged.diff.type === 'missing' ? judged.diff.after : undefined);
    return candidateOf({ judged, object, input }) ?? [];
  });
}

interface Given {
  readonly judged: JudgedResource;
  readonly object: KubeObject | undefined;
  readonly input: PlanInput;
}

function candidateOf({ judged, object, input }: Given): Candidate | undefined {
  const { key } = judged.diff;
  const marks = object === undefined ? unmarked : readMarks(object);
  if (marks.role !== 'resource') return undefined;
  const place = { key, phase: 'Sync' as const, wave: marks.wave };
  const facts = input.live(key);
  // Its wave is not known where it could not be read, so nobody can be made to wait for it.
  const lacks = object === undefined || marks.problems.length > 0 ? undefined : whatLacks(facts?.health ?? { status: 'Missing' });
  const resource = { judged, marks, facts, place };
  const step = stepOf(resource, input);
  const reason = judged.diff.type === 'same' ? 'adopt' : judged.cause === 'live-changed' ? 'drift' : 'git';
  const definition = judged.diff.type === 'missing' && isAct(step) ? judged.diff.waitsFor : undefined;
  return { ...place, step, reason, lacks, ...waveLimit(facts, input.application), ...(definition !== undefined && { definition }), ...(isForced(marks) && { isForced: true }), ...(reason === 'drift' && { isHealed: driftModes(judged.diff, input.application.policy).has('Heal') }), ...(isLasting(judged) && { isLasting: true }) };
}

function stepOf(resource: Resource, input: PlanInput): Step | undefined {
  const { judged, marks, place } = resource;
  const { diff } = judged;
  const [problem] = marks.problems;
  if (problem !== undefined) return held(place, { code: 'Invalid', why: problem });
  switch (diff.type) {
    case 'same':
      return adoption(resource, input);
    case 'invalid':
      return held(place, { code: 'Invalid', why: diff.message });
    case 'unknown':
      return held(place, { code: 'NotCompared', why: `not compared: ${diff.message}` });
    case 'terminating':
      // It was deleted to be created again, and is not gone yet.
      if (isForced(marks) && input.operation !== undefined) return { type: 'wait', ...place, why: diff.message };
      return held(place, { code: 'Terminating', why: diff.message });
    case 'missing':
    case 'changed': {
      const wanting = { diff, marks, facts: resource.facts };
      const refusal = vetoApply(wanting, input);
      if (refusal !== undefined) return held(place, refusal);
      const definition = diff.type === 'missing' ? diff.waitsFor : undefined;
      if (definition !== undefined && !isComing(definition, place.wave, input)) return held(place, { code: 'WaitsForDefinition', why: `waits for ${definition}` });
      return replaceObject(wanting, place, input) ?? { type: 'apply', ...place, why: diff.type, ...howToApply(resource, input) };
    }
  }
}

function isLasting({ diff }: JudgedResource): boolean {
  return diff.type === 'unknown' && retryOf(diff.code) === 'changed';
}

function isForced({ options }: Marks): boolean {
  return options['Force'] === 'true';
}

function adoption(resource: Resource, input: PlanInput): Step | undefined {
  const { judged, marks, facts, place } = resource;
  if (facts === undefined || facts.trackedBy === trackingId(input.application.id, place.key)) return undefined;
  const about = { diff: judged.diff, facts, marks };
  const isOthers = sharedWithAnother(about, input) !== undefined || heldByOtherTool(about, input) !== undefined;
  return isOthers ? undefined : { type: 'apply', ...place, why: 'adopt' };
}

function howToApply({ marks }: Resource, { application }: PlanInput): { readonly replace?: true; readonly skipValidation?: true } {
  const option = (name: string): string | undefined => optionOf(name, marks.options, application.syncOptions);
  return { ...(option('Replace') === 'true' && { replace: true }), ...(option('Validate') === 'false' && { skipValidation: true }) };
}

/** Whether this sync brings the definition first, or has brought it: the server then needs a moment to serve the kind. */
function isComing(waitsFor: string, wave: number, input: PlanInput): boolean {
  const key = resourceKey({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: '', name: waitsFor.slice(waitsFor.lastIndexOf(' ') + 1) });
  const object = input.manifests.find((manifest) => manifest.key === key)?.object;
  if (object === undefined) return false;
  const { phases } = readMarks(object);
  const judged = input.judged.get(key);
  if (judged === undefined) return phases.includes('PreSync');
  const definition = candidateOf({ judged, object, input });
  return definition !== undefined && definition.wave <= wave && definition.step?.type !== 'hold';
}

/** In words, what keeps a resource from being counted on; undefined where nothing does. */
function whatLacks({ status, message }: Health): string | undefined {
  if (status === 'Healthy' || status === 'Suspended') return undefined;
  return `is ${status}${message === undefined ? '' : `: ${message}`}`;
}
