import { isDeployTool, isList, isObject, type Json, type KubeObject } from '../model/index.ts';
import { holdersOf, isOurs } from './holders.ts';

/** What makes an object a bad thing to keep in Git, or to keep in Git twice. */
export function warningsOf(live: KubeObject): readonly string[] {
  return [...controllerOf(live), ...otherAppliers(live)];
}

function controllerOf({ metadata }: KubeObject): readonly string[] {
  const owners = isList(metadata['ownerReferences']) ? metadata['ownerReferences'].filter(isObject) : [];
  return owners
    .filter(({ controller }) => controller === true)
    .map(({ kind, name }) => `it belongs to ${text(kind)} ${text(name)}, whose controller overwrites what Git says`);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '?';
}

/** Two tools that apply one object undo each other's work, and each may prune what the other wants. */
function otherAppliers(live: KubeObject): readonly string[] {
  const appliers = holdersOf(live).filter(({ owner }) => owner.operation === 'Apply' && isDeployTool(owner.manager));
  if (!appliers.some(isOurs)) return [];
  return appliers.filter((holder) => !isOurs(holder)).map(({ owner }) => `${owner.manager} applies it too: leave it to one of the two`);
}
