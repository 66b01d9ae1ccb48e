import { retryOf, toSetpointError, type ErrorCode, type KubeObject, type ResourceKey, type StepOutcome } from '../model/index.ts';
import type { LeftField, Removed, Write } from './applier.ts';

export type Failed = Extract<StepOutcome, { type: 'failed' }>;

/** What became of an object, for those who are told of writes; undefined where nothing was written. */
export function writtenBy(result: Write | Removed): KubeObject | null | undefined {
  if (result.type === 'applied' || result.type === 'created') return result.object;
  if (result.type === 'deleted') return result.left;
  return result.type === 'gone' ? null : undefined;
}

export function outcomesOf(key: ResourceKey, result: Write | Removed): readonly StepOutcome[] {
  switch (result.type) {
    case 'applied':
      return [{ type: 'applied', key }, ...contested(key, result.left ?? [])];
    case 'created':
      return [{ type: 'applied', key }];
    case 'contested':
      return contested(key, result.left);
    case 'deleted':
    case 'gone':
      return [{ type: 'pruned', key }];
    case 'exists':
      return [failed(key, 'it was to be created, and is there already', 'soon')];
    case 'replaced':
      return [failed(key, 'another object has taken its name since it was looked at', 'soon')];
    case 'unknown':
      return [failed(key, result.message, retryFor(result.code))];
    case 'terminating':
      return [failed(key, result.message, 'soon')];
    // What the server refuses now it refuses again, unless somebody changes something.
    case 'invalid':
    case 'replace':
    case 'denied':
    case 'unconfirmed':
      return [failed(key, result.message, 'later')];
  }
}

export function failureOf(key: ResourceKey, error: unknown): Failed {
  const { message, code } = toSetpointError(error);
  return failed(key, message, retryFor(code));
}

export function failed(key: ResourceKey, why: string, retry: Failed['retry']): Failed {
  return { type: 'failed', key, why, retry };
}

function contested(key: ResourceKey, left: readonly LeftField[]): readonly StepOutcome[] {
  if (left.length === 0) return [];
  return [{ type: 'held', key, code: 'Contested', why: [...new Set(left.map(({ why }) => why))].join('; ') }];
}

function retryFor(code: ErrorCode): Failed['retry'] {
  return retryOf(code) === 'later' ? 'soon' : 'later';
}
