import { createHash } from 'node:crypto';
import { canonicalJson, entriesOf, groupOf, isSecretKind, type Json, type KubeObject, type Plan, type ResourceKey, type Step } from '../model/index.ts';
import { sourcesName } from './begun-for.ts';
import type { PlanInput } from './plan-input.ts';

type Named = Pick<PlanInput, 'application' | 'commit' | 'commits' | 'manifests'>;

/** Said back, each of them stands for exactly one commit and one list: whatever comes to them later is not confirmed. */
export function planHash({ application, commit, commits, manifests }: Named, steps: readonly Step[]): Plan['hash'] {
  const objects = new Map(manifests.map(({ key, object }) => [key, object]));
  const { ignoreRules, syncOptions, namespaceMetadata } = application;
  const lines = steps.map((step) => canonicalJson([...partsOf(step), broughtBy(step, objects)]));
  return hash('plan', [commit ?? '', sourcesName(application, commits), canonicalJson({ ignoreRules, syncOptions, namespaceMetadata } as unknown as Json), ...lines]);
}

/** Whether it is missing or only differs may be another answer a moment later: what is brought is the same. */
function partsOf(step: Step): readonly Json[] {
  const { type, phase, wave, key } = step;
  const removed = 'uid' in step ? step.uid : 'replaces' in step ? step.replaces : undefined;
  const propagation = 'propagation' in step ? step.propagation : undefined;
  const isPut = 'replace' in step ? step.replace : undefined;
  return [type, phase, wave, key, removed ?? '', propagation ?? '', isPut ?? false];
}

function broughtBy(step: Step, objects: ReadonlyMap<ResourceKey, KubeObject>): Json {
  const object = 'object' in step ? step.object : step.type === 'prune' || step.type === 'delete-hook' ? undefined : objects.get(step.key);
  return object === undefined ? null : withoutSecrets(object);
}

/** A hash that everybody may see must not help to guess a short value. What a Secret holds follows from the commits and from how they are rendered. */
function withoutSecrets(object: KubeObject): Json {
  if (!isSecretKind({ group: groupOf(object.apiVersion), kind: object.kind })) return object;
  const { apiVersion, kind, metadata, data, stringData } = object;
  return { apiVersion, kind, name: metadata.name, keys: [data, stringData].map((values) => entriesOf(values).map(([key]) => key)) };
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
