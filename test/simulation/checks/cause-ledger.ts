import type { AppStatus, ResourceKey } from '../../../src/model/index.ts';
import type { Fields } from '../world/git-server.ts';
import type { Compared } from './look-ledger.ts';
import type { Violated } from './witness.ts';

/**
 * Holds the causes that are given against what was agreed on before: where Git wants the same as then, somebody has changed the
 * cluster; where it wants something else, there is a new commit. One for each Application.
 */
export interface CauseLedger {
  check(after: AppStatus, wanted: ReadonlyMap<ResourceKey, Fields>): void;
  proposed(after: AppStatus, compared: Compared): void;
  /** What was proposed with this status is on record now. */
  written(status: AppStatus): void;
}

export function createCauseLedger(id: string, violated: Violated): CauseLedger {
  let agreed: ReadonlyMap<ResourceKey, Fields> = new Map();
  let proposal: { readonly checkedAt: string | null; readonly agreed: ReadonlyMap<ResourceKey, Fields> } | undefined;
  return {
    check(after, wanted) {
      for (const { key, type, cause } of after.resources) {
        if (cause === undefined) continue;
        const [before, now] = [agreed.get(key), wanted.get(key)];
        const right = before === undefined ? ['git-ahead'] : type === 'missing' || same(before, now) ? ['live-changed'] : ['git-ahead', 'both'];
        if (!right.includes(cause)) violated(`the cause of ${key} of ${id} is said to be ${cause}, and is ${right.join(' or ')}`);
      }
    },
    proposed(after, { wanted, isWhole }) {
      const listed = new Set(after.resources.map(({ key }) => key));
      const next = [...wanted.keys()].flatMap((key) => {
        const fields = listed.has(key) ? agreed.get(key) : wanted.get(key);
        return fields === undefined ? [] : [[key, fields] as const];
      });
      // A file that cannot be read takes nothing away.
      proposal = { checkedAt: after.checkedAt, agreed: new Map([...(isWhole ? [] : agreed), ...next]) };
    },
    written({ checkedAt }) {
      if (proposal?.checkedAt === checkedAt) agreed = proposal.agreed;
    },
  };
}

function same(one: Fields, other: Fields | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
