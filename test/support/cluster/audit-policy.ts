// What an API server is to record for the tests: every request, without bodies. Our own control plane and the cluster of kind are told the same.

export const auditPolicy = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{ level: Metadata }]\n';

/** As flags of kube-apiserver, without the dashes. */
export function auditFlags({ policyFile, logFile }: { readonly policyFile: string; readonly logFile: string }): Readonly<Record<string, string>> {
  // One file, of up to 100 GB: it would begin another after 100 MB (0 means that too), and whoever reads on in the first would miss what is in the second.
  return { 'audit-policy-file': policyFile, 'audit-log-path': logFile, 'audit-log-maxsize': '100000' };
}
