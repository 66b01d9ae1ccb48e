/** Under this name the server records which fields are ours. */
export const fieldManager = 'setpoint';

/** Names under which people change objects by hand; a controller or another deploy tool is not among them. */
const byHand = [/^kubectl(?:-|$)/, /^k9s$/i, /^(?:open|free)?lens$/i, /^headlamp/i, /^rancher$/i, /^Mozilla$/];

export function isByHand(manager: string): boolean {
  return byHand.some((pattern) => pattern.test(manager));
}

/** Those of them that write whole objects, so that the server counts every default as theirs too. */
export function writesWholeObjects(manager: string): boolean {
  return /^kubectl-(?:create|client-side-apply|replace|run|expose)$/.test(manager);
}
