import { resourceKey, type JsonObject, type KubeObject } from '../model/index.ts';
import { isAct, type Candidate } from './candidate.ts';
import type { PlanInput } from './plan-input.ts';
import { optionOf } from './sync-options.ts';

/** The namespace that things go to, where it is not there, nobody declares it, and the application says that it is to be made. */
export function namespaceCandidate({ application, namespace, manifests }: PlanInput, others: readonly Candidate[]): readonly Candidate[] {
  const key = resourceKey({ group: '', kind: 'Namespace', namespace: '', name: namespace.name });
  const isMeant = namespace.state === 'missing' && optionOf('CreateNamespace', {}, application.syncOptions) === 'true';
  if (!isMeant || manifests.some((manifest) => manifest.key === key) || !others.some(({ step }) => isAct(step))) return [];
  const wave = Math.min(0, ...others.filter(({ phase }) => phase === 'PreSync').map((other) => other.wave)) - 1;
  const place = { key, phase: 'PreSync' as const, wave };
  const object: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace.name, ...given(application) } };
  return [{ ...place, step: { type: 'apply', ...place, why: 'namespace', object }, reason: 'namespace', lacks: undefined }];
}

function given({ namespaceMetadata }: PlanInput['application']): JsonObject {
  const { labels = {}, annotations = {} } = namespaceMetadata ?? {};
  return { ...(Object.keys(labels).length > 0 && { labels }), ...(Object.keys(annotations).length > 0 && { annotations }) };
}
