import type { HookState, Manifest, Phase, Step } from '../model/index.ts';
import { inLeavingNamespace } from './apply-vetoes.ts';
import { held, type Candidate } from './candidate.ts';
import { guardHook } from './guard-hook.ts';
import { hookName, hookRun } from './hook-run.ts';
import type { PlanInput } from './plan-input.ts';
import { readMarks, type Marks } from './read-marks.ts';
import { onItsWayOut } from './wave-timeout.ts';

export interface Hook {
  readonly manifest: Manifest;
  readonly marks: Marks;
  readonly phase: Phase;
}

/** Each hook once for each of its phases. */
export function hooksOf({ manifests }: PlanInput, phases: readonly Phase[]): readonly Hook[] {
  return manifests.flatMap((manifest) => {
    const marks = readMarks(manifest.object);
    return marks.phases.filter((phase) => phases.includes(phase)).map((phase) => ({ manifest, marks, phase }));
  });
}

/** Hooks that are to be begun, or to be waited for. What is on record counts: an end that was only seen may be gone by the next look. */
export function hookCandidates(hooks: readonly Hook[], input: PlanInput, states: Readonly<Record<string, HookState>>): readonly Candidate[] {
  return hooks.map(({ manifest, marks, phase }) => {
    const place = { key: manifest.key, phase, wave: marks.wave };
    const name = hookName(phase, manifest.key);
    const recorded = input.operation?.hooks[name];
    const seen = states[name];
    const isBegun = seen !== undefined || recorded !== undefined;
    // Nothing comes of the failure of what runs after a failure.
    const isOver = recorded === 'succeeded' || (recorded === 'failed' && phase === 'SyncFail');
    return { ...place, step: isBegun ? undefined : begin(place, marks, input), reason: 'hook', lacks: isOver ? undefined : lacking(seen, input.live(manifest.key)?.health.message) };
  });
}

function lacking(state: HookState | undefined, message: string | undefined): string {
  const told = message === undefined ? '' : `: ${message}`;
  switch (state) {
    case undefined:
      return 'is a hook that has not been run';
    case 'running':
      return `is a hook that runs${told}`;
    case 'succeeded':
      return 'is a hook whose success is not on record yet';
    case 'failed':
      return `is a hook that failed${told}`;
  }
}

function begin(place: Pick<Candidate, 'key' | 'phase' | 'wave'>, marks: Marks, input: PlanInput): Step {
  const { operation } = input;
  const refusal = inLeavingNamespace({ diff: place }, input);
  if (refusal !== undefined) return held(place, refusal);
  const left = input.live(place.key);
  const run = operation === undefined ? {} : { run: hookRun(operation, place.phase) };
  if (left === undefined) return { type: 'hook', ...place, ...run };
  if (left.isDeleting) {
    const { lacks, ...limit } = onItsWayOut(left, input.application);
    return { type: 'wait', ...place, why: `what an earlier sync left of this hook ${lacks}`, ...limit };
  }
  const verdict = guardHook({ key: place.key, facts: left, marks, because: 'this hook is created anew, for which what is there has to be deleted' }, input);
  if (verdict.type === 'stays') return held(place, verdict.refusal);
  return { type: 'hook', ...place, ...run, replaces: left.uid, ...(verdict.confirmed && { confirmed: true }) };
}
