import { canonicalJson, trackingAnnotation, fieldManager, groupOf, isDeployTool, isList, valueAt, type Health, type Json, type KubeObject } from '../model/index.ts';
import { readMarks, type Marks } from './read-marks.ts';

/** Which run of a hook made an object. */
export const hookRunAnnotation = 'setpoint.dev/hook-run';

/** What is to be known of a live object before anything is done to it. */
export interface LiveFacts {
  readonly uid: string;
  readonly health: Health;
  readonly isDeleting: boolean;
  /** The tracking annotation, as it is. */
  readonly trackedBy: string | undefined;
  /** Others that apply it, and deploy tools, by their field managers. */
  readonly holders: readonly string[];
  /** The mark by which Argo CD or Flux knows it as its own, whoever wrote it last. */
  readonly toolMark: string | undefined;
  /** Of the live object: Git may no longer have it. */
  readonly marks: Marks;
  /** Of a hook that we made. */
  readonly hookRun: string | undefined;
  /** The label `app.kubernetes.io/part-of`. */
  readonly partOf: string | undefined;
}

export function liveFacts(object: KubeObject, health: Health): LiveFacts {
  return {
    uid: textAt(object, ['metadata', 'uid']) ?? '',
    health,
    isDeleting: textAt(object, ['metadata', 'deletionTimestamp']) !== undefined,
    trackedBy: textAt(object, ['metadata', 'annotations', trackingAnnotation]),
    holders: holdersOf(object),
    toolMark: toolMarkOf(object),
    marks: readMarks(object),
    hookRun: textAt(object, ['metadata', 'annotations', hookRunAnnotation]),
    partOf: textAt(object, ['metadata', 'labels', 'app.kubernetes.io/part-of']),
  };
}

/** Whether all that a plan looks at is the same, how it does aside. */
export function isJudgedAlike(one: KubeObject, other: KubeObject): boolean {
  const [facts, others] = [one, other].map((object) => liveFacts(object, { status: 'Unknown' }));
  return canonicalJson(facts as unknown as Json) === canonicalJson(others as unknown as Json);
}

function holdersOf(object: KubeObject): readonly string[] {
  const entries = valueAt(object, ['metadata', 'managedFields']);
  const holders = (isList(entries) ? entries : []).flatMap((entry) => {
    const [manager, operation] = [valueAt(entry, ['manager']), valueAt(entry, ['operation'])];
    return typeof manager === 'string' && manager !== fieldManager && (operation === 'Apply' || isDeployTool(manager)) ? [manager] : [];
  });
  return [...new Set(holders)];
}

const flux = ['kustomize.toolkit.fluxcd.io', 'helm.toolkit.fluxcd.io'];

function toolMarkOf(object: KubeObject): string | undefined {
  const argo = argoApplication(object);
  if (argo !== undefined) return `Argo CD (${argo})`;
  for (const domain of flux) {
    const [by, place] = ['name', 'namespace'].map((label) => textAt(object, ['metadata', 'labels', `${domain}/${label}`]));
    if (by !== undefined && place !== undefined) return `Flux (${place}/${by})`;
  }
  return undefined;
}

/** By `shop:apps/Deployment:prod/web`; one that was copied names another object. Of what has no namespace it has that of the application. */
function argoApplication(object: KubeObject): string | undefined {
  const { name, namespace } = object.metadata;
  const [application = '', kind = '', ...rest] = textAt(object, ['metadata', 'annotations', 'argocd.argoproj.io/tracking-id'])?.split(':') ?? [];
  const [place = '', ...named] = rest.join(':').split('/');
  const isOwn = kind === `${groupOf(object.apiVersion)}/${object.kind}` && named.join('/') === name && (namespace === undefined || place === namespace);
  return isOwn && application !== '' ? application : undefined;
}

function textAt(object: KubeObject, path: readonly string[]): string | undefined {
  const value = valueAt(object, path);
  return typeof value === 'string' ? value : undefined;
}
