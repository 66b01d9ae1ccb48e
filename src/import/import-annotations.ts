import { entriesOf, type Json, type JsonObject } from '../model/index.ts';
import type { Converted, Difference } from './difference.ts';

type Handling =
  | { readonly type: 'kept' }
  /** No word about it: the object that there is had it from a tool. */
  | { readonly type: 'dropped' }
  | { readonly type: 'left-out'; readonly message: string };

const otherWay = (message: string): Handling => ({ type: 'left-out', message });

/** The first that fits. Annotations of nobody in particular are kept. */
const handlings: readonly (readonly [RegExp, Handling])[] = [
  [/^kubectl\.kubernetes\.io\/last-applied-configuration$/, { type: 'dropped' }],
  // For an Application that is itself applied by one.
  [/^argocd\.argoproj\.io\/(?:sync-wave|hook|hook-delete-policy|sync-options)$/, { type: 'kept' }],
  [/^argocd\.argoproj\.io\/compare-options$/, otherWay('has no effect: the API server and its webhooks are asked wherever equality cannot be proven, and what Git no longer has never makes an Application OutOfSync')],
  [/^argocd\.argoproj\.io\/(?:tracking-id|installation-id)$/, otherWay('Argo CD finds what it applied by this, and could take the new Application for its own')],
  [/^argocd\.argoproj\.io\/(?:refresh|hydrate)$/, otherWay('asks Argo CD for something, once: setpoint refresh does so here')],
  [/^argocd\.argoproj\.io\/manifest-generate-paths$/, otherWay('is not needed: what a render reads is noted, and a commit that touches none of it renders nothing')],
  [/^notifications\.argoproj\.io\//, otherWay('has no effect: who is told is said in the configuration of the agent')],
  [/^argocd-image-updater\.argoproj\.io\//, otherWay('has no effect: have new images written to Git')],
  [/^link\.argocd\.argoproj\.io\//, otherWay('is shown nowhere')],
  [/(?:^|\.)argoproj\.io\//, otherWay('is not known here')],
];

const skip = 'argocd.argoproj.io/skip-reconcile';

export function importAnnotations(annotations: Json | undefined): Converted<JsonObject> {
  const kept: Record<string, Json> = {};
  const differences: Difference[] = [];
  for (const [name, value] of entriesOf(annotations)) {
    const path = `metadata.annotations[${name}]`;
    if (name === skip && value === 'true') {
      kept['setpoint.dev/pause'] = 'true';
      kept['setpoint.dev/pause-reason'] = 'Argo CD was told to skip it';
      differences.push({ path, type: 'rewritten', message: 'is setpoint.dev/pause, which keeps everything from being changed; it is still compared' });
      continue;
    }
    const handling = handlings.find(([pattern]) => pattern.test(name))?.[1] ?? { type: 'kept' };
    if (handling.type === 'kept') kept[name] = value;
    else if (handling.type === 'left-out') differences.push({ path, ...handling });
  }
  return { value: kept, differences };
}
