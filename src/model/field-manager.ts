/** Under this name the server records which fields are ours. */
export const fieldManager = 'setpoint';

/** Names under which people change objects by hand; a controller or another deploy tool is not among them. */
const byHand = [/^kubectl(?:-|$)/, /^k9s$/i, /^(?:open|free)?lens$/i, /^headlamp/i, /^rancher$/i, /^Mozilla$/];

export function isByHand(manager: string): boolean {
  return byHand.some((pattern) => pattern.test(manager));
}

/** People, or whoever wrote before the server kept records: no program holds on to the value. */
export function countsAsPeople(manager: string): boolean {
  return isByHand(manager) || manager === 'before-first-apply';
}

/** Those of them that write whole objects, so that the server counts every default as theirs too. */
export function writesWholeObjects(manager: string): boolean {
  return /^kubectl-(?:create|client-side-apply|replace|run|expose)$/.test(manager);
}

/** Tools that bring manifests into a cluster, as we do: what they hold is what somebody deployed. */
const deployTools = [/^argocd/, /^kustomize-controller$/, /^helm(?:-controller)?$/i, /^flux/, /^terraform/i, /^pulumi/i, /^kapp/, /^kluctl/, /^fleet/, /^setpoint/];

export function isDeployTool(manager: string): boolean {
  return deployTools.some((pattern) => pattern.test(manager));
}

/** A controller or an operator: it holds a value because it computed it, and will compute it again. */
export function isSoftware(manager: string): boolean {
  return !countsAsPeople(manager) && !isDeployTool(manager);
}
