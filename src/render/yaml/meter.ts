import { limits } from './limits.ts';
import { Refusal } from './yaml-finding.ts';

/** Counts what a file costs and refuses what goes over the limits. */
export interface Meter {
  readonly countToken: (offset: number) => void;
  readonly hasTokensLeft: () => boolean;
  readonly openDocument: () => DocumentMeter;
}

export interface DocumentMeter {
  readonly countAlias: (offset: number) => void;
  readonly countNode: (offset: number, origin: 'written' | 'aliased') => void;
}

export function createMeter(): Meter {
  let tokens = 0;
  let aliasedInFile = 0;
  return {
    countToken: (offset) => {
      tokens += 1;
      if (tokens > limits.tokensPerFile) tooMany(offset, `the file has more than ${limits.tokensPerFile} YAML tokens`);
    },
    hasTokensLeft: () => tokens < limits.tokensPerFile,
    openDocument: () => {
      let [nodes, aliased, aliases] = [0, 0, 0];
      return {
        countAlias: (offset) => {
          aliases += 1;
          if (aliases > limits.aliasesPerDocument) {
            throw new Refusal('too-many-aliases', offset, `more than ${limits.aliasesPerDocument} aliases in one document`);
          }
        },
        countNode: (offset, origin) => {
          nodes += 1;
          if (nodes > limits.nodesPerDocument) tooMany(offset, `more than ${limits.nodesPerDocument} nodes with aliases expanded`);
          if (origin === 'written') return;
          aliased += 1;
          aliasedInFile += 1;
          if (aliasedInFile > limits.aliasedNodesPerFile) {
            tooMany(offset, `the aliases of the file expand to more than ${limits.aliasedNodesPerFile} nodes`);
          }
          // Go's own guard, at the sizes that our limits let through.
          if (aliased > 100 && nodes > 1000 && aliased / nodes > 0.99) {
            throw new Refusal('excessive-aliasing', offset, 'kubectl refuses a document of which more than 99 % are aliases');
          }
        },
      };
    },
  };
}

function tooMany(offset: number, message: string): never {
  throw new Refusal('too-many-nodes', offset, message);
}
