import { createHash } from 'node:crypto';
import type { Plan, ResourceKey, Step } from '../model/index.ts';

/** Said back, each of them stands for exactly one commit and one list: whatever comes to them later is not confirmed. */
export function planHash(commit: string | null, steps: readonly Step[]): Plan['hash'] {
  return hash('plan', [commit ?? '', ...steps.map((step) => [step.type, step.phase, step.wave, step.key, 'uid' in step ? step.uid : ''].join(' '))]);
}

export function pruneConfirmation(commit: string | null, doomed: readonly { readonly key: ResourceKey; readonly uid: string }[]): string {
  return hash('prune', [commit ?? '', ...doomed.map(({ key, uid }) => `${key} ${uid}`).toSorted()]);
}

export function hookConfirmation(key: ResourceKey, uid: string): string {
  return hash('hook', [key, uid]);
}

/** Whether a text names a plan, and not what a single hold asks for. */
export function isPlanHash(text: string): boolean {
  return text.startsWith('plan-');
}

function hash(what: string, parts: readonly string[]): string {
  return `${what}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`;
}
