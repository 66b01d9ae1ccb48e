/**
 * What one file may cost. Measured on real manifests: the deepest custom resource definitions nest about 45 levels, a
 * document that etcd accepts (1.5 MiB) has under 150,000 nodes, and a full 4 MiB file lexes into about 1.3 million tokens.
 */
export const limits = {
  fileBytes: 4 * 1024 * 1024,
  tokensPerFile: 2_000_000,
  depth: 100,
  aliasesPerDocument: 10_000,
  nodesPerDocument: 200_000,
  /** Nodes that exist only because an alias repeats them: small bombs in many documents add up. */
  aliasedNodesPerFile: 200_000,
  warningsPerDocument: 100,
  /** Texts and lines that are mended because only YAML 1.2 minds their indentation, and how far that may push them. */
  reindents: 100,
  reindentColumns: 200,
} as const;
