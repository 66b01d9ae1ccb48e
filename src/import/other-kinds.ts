import { childOf, isList, isObject, type Json, type JsonObject } from '../model/index.ts';
import type { Difference } from './difference.ts';

const ofSet: Readonly<Record<string, string>> = {
  generators: 'there are no ApplicationSets: import the Applications that it made (kubectl get applications.argoproj.io -o yaml), or write them out with argocd appset generate',
};

const ofProject: Readonly<Record<string, string>> = {
  sourceRepos: 'give the agent credentials for these repositories only',
  destinations: 'give the agent rights in these namespaces only',
  sourceNamespaces: 'say in the configuration of the agent in which namespaces it looks for Applications',
  clusterResourceWhitelist: 'give the agent rights for these kinds only',
  clusterResourceBlacklist: 'give the agent no rights for these kinds',
  namespaceResourceWhitelist: 'give the agent rights for these kinds only',
  namespaceResourceBlacklist: 'give the agent no rights for these kinds',
  roles: 'use roles of the cluster, for applications.setpoint.dev',
  syncWindows: 'write them into spec.syncWindows of each Application that they are about: without them it may be synced at any time',
  signatureKeys: 'signatures of commits are not checked',
  orphanedResources: 'objects that no Application declares are not reported',
  destinationServiceAccounts: 'there is one account, that of the agent',
};

const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = { ApplicationSet: ofSet, AppProject: ofProject };

/** What speaks against taking over a document of Argo CD's that is no Application; undefined where it is none of these. */
export function otherKindDifferences(document: JsonObject): readonly Difference[] | undefined {
  const { kind, spec } = document;
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) return undefined;
  const known = kinds[kind] ?? {};
  const found = Object.entries(known).flatMap(([field, message]): Difference[] => (says(childOf(spec, field)) ? [{ path: `spec.${field}`, type: 'refused', message }] : []));
  return found.length > 0 ? found : [{ path: 'kind', type: 'refused', message: `there is no ${kind} here, and this one says nothing that is to be done otherwise` }];
}

function says(value: Json | undefined): boolean {
  if (isList(value) || isObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null;
}
