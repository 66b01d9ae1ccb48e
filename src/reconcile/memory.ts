import { hashWith, type ComparedResource, type KindLookup } from '../diff/index.ts';
import type { JsonObject, ResourceKey, SourceDocument } from '../model/index.ts';
import { identifyParts, type IdentifiedParts } from './identify-parts.ts';

/** What a comparison depended on, by content. Two comparisons with the same inputs have the same result. */
export interface Inputs {
  readonly desired: string;
  readonly live: string;
  readonly schema: string;
  readonly admission: string;
  readonly rules: string;
  readonly recorded: string;
}

/** Results of comparisons, so that nothing that has not changed is compared, or asked about, again. */
export interface Memory {
  recall(key: ResourceKey, inputs: Inputs): ComparedResource | undefined;
  /** Whether the last result of it was found under this admission, not long ago. */
  knowsUnder(key: ResourceKey, admission: string): boolean;
  remember(key: ResourceKey, inputs: Inputs, compared: ComparedResource): void;
  /** Forgets all but these. */
  retain(keys: Iterable<ResourceKey>): void;
  /** The same documents come back look after look, as the same values. */
  identify(documents: readonly SourceDocument[], lookUp: KindLookup, namespace: string): IdentifiedParts;
  /** Under the salt of this memory, or of what it is compared with. */
  hashOf(value: JsonObject, salt?: string): string;
}

interface MemoryOptions {
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** Keys the hashes. */
  readonly salt: string;
}

// Policies and the webhooks’ own programs change what the server would say without a trace in the inputs: nothing is kept for ever.
const lifeMs = 45 * 60_000;
const spread = 0.2;

export function createMemory({ now, random, salt }: MemoryOptions): Memory {
  const results = new Map<ResourceKey, { readonly inputs: string; readonly admission: string; readonly compared: ComparedResource; readonly until: number }>();
  const hashes = new Map<string, WeakMap<JsonObject, string>>();
  let identified: { readonly of: readonly [readonly SourceDocument[], KindLookup, string]; readonly result: IdentifiedParts } | undefined;
  return {
    identify(...of) {
      if (identified === undefined || of.some((part, at) => part !== identified?.of[at])) identified = { of, result: identifyParts(...of) };
      return identified.result;
    },
    hashOf(value, under = salt) {
      const known = hashes.get(under) ?? new WeakMap<JsonObject, string>();
      const hash = known.get(value) ?? hashWith(under)(value);
      hashes.set(under, known.set(value, hash));
      return hash;
    },
    recall(key, inputs) {
      const known = results.get(key);
      return known !== undefined && known.inputs === nameOf(inputs) && now() < known.until ? known.compared : undefined;
    },
    knowsUnder(key, admission) {
      const known = results.get(key);
      return known !== undefined && known.admission === admission && now() < known.until;
    },
    remember(key, inputs, compared) {
      // What could not be found out is asked again.
      if (compared.diff.type === 'unknown') return;
      const until = now() + lifeMs * (1 - spread + 2 * spread * random());
      // What was agreed on is kept elsewhere by then; a second copy of it would be larger than all the rest.
      const kept = compared.diff.type === 'same' ? { ...compared, state: null } : compared;
      results.set(key, { inputs: nameOf(inputs), admission: inputs.admission, compared: kept, until });
    },
    retain(keys) {
      const kept = new Set(keys);
      for (const key of results.keys()) if (!kept.has(key)) results.delete(key);
    },
  };
}

function nameOf({ desired, live, schema, admission, rules, recorded }: Inputs): string {
  return [desired, live, schema, admission, rules, recorded].join(' ');
}
