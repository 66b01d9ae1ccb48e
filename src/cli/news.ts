import { stringifyJson, type Diff, type Finding, type Json, type ResourceKey } from '../model/index.ts';

/** What one comparison of everything gave. */
export interface Look {
  readonly diffs: readonly Diff[];
  readonly findings: readonly Finding[];
}

/** What is not as it was last told. */
export interface News {
  readonly diffs: readonly Diff[];
  /** Of those, the ones that were told of before: what is in sync now was not, then. */
  readonly again: ReadonlySet<ResourceKey>;
  /** No longer among the documents. */
  readonly gone: readonly ResourceKey[];
  /** All of them, where they are other ones than before. */
  readonly findings: readonly Finding[] | undefined;
}

/** Tells of each look what the looks before it did not. */
export function createNews(): (look: Look) => News {
  let told: ReadonlyMap<ResourceKey, string> = new Map();
  let found = '[]';
  return ({ diffs, findings }) => {
    const gists = new Map(diffs.map((diff) => [diff.key, gist(diff)]));
    const all = JSON.stringify(findings);
    const news: News = {
      diffs: diffs.filter(({ key }) => told.get(key) !== gists.get(key)),
      again: new Set(told.keys()),
      gone: [...told.keys()].filter((key) => !gists.has(key)),
      findings: all === found ? undefined : findings,
    };
    [told, found] = [gists, all];
    return news;
  };
}

/** Owners and times aside, or a busy controller would fill the screen. */
function gist(diff: Diff): string {
  const values = (fields: readonly { readonly path: string; readonly live?: Json; readonly desired?: Json }[]): Json =>
    fields.map(({ path, live = null, desired = null }) => [path, live, desired]);
  const remarks = 'foreign' in diff ? [values(diff.foreign), values(diff.ignored)] : [];
  return stringifyJson([diff.type, 'message' in diff ? diff.message : null, 'changes' in diff ? values(diff.changes) : null, remarks]);
}
