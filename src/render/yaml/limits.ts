/**
 * What one file may cost. Among 9,000 public manifests, charts and API documents the deepest nests 34 levels, in a custom
 * resource definition; a document that etcd accepts (1.5 MiB) has under 150,000 nodes; 4 MiB of manifests are 1.0 to
 * 1.5 million tokens.
 */
export const limits = {
  fileBytes: 4 * 1024 * 1024,
  tokensPerFile: 2_000_000,
  documentsPerFile: 20_000,
  depth: 100,
  aliasesPerDocument: 10_000,
  nodesPerDocument: 200_000,
  /** Nodes that exist only because an alias repeats them: small bombs in many documents add up. */
  aliasedNodesPerFile: 200_000,
  warningsPerDocument: 100,
  /** Places of a document that are laid out anew because only YAML 1.2 minds them, and how far that may push them. */
  mends: 100,
  mendColumns: 200,
} as const;
