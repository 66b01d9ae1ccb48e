import type { Cluster, Right } from '../cluster/index.ts';
import { fine, type Check } from './doctor-check.ts';
import type { Need } from './doctor-needs.ts';

const atOnce = 8;

/** Asks the server for each right, and names those that are missing. Who may do everything is asked about once. */
export async function checkRights(cluster: Pick<Cluster, 'may'>, needs: readonly Need[], signal: AbortSignal): Promise<readonly Check[]> {
  const everything = { verb: '*', group: '*', resource: '*' };
  if (needs.length > 0 && (await cluster.may(everything, signal))) return describe(needs, new Set());
  const namespaces = [...new Set(needs.flatMap(({ right }) => right.namespace ?? []))];
  const free = new Set<string>();
  await each(namespaces, async (namespace) => void ((await cluster.may({ ...everything, namespace }, signal)) && free.add(namespace)));
  const missing = new Set<Need>();
  const open = needs.filter(({ right }) => right.namespace === undefined || !free.has(right.namespace));
  await each(open, async (need) => void ((await cluster.may(need.right, signal)) || missing.add(need)));
  return describe(needs, missing);
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

/** A line for each kind in each place: what is allowed, or what is missing. */
function describe(needs: readonly Need[], missing: ReadonlySet<Need>): readonly Check[] {
  const groups = Map.groupBy(needs, ({ right }) => `${resourceOf(right)} ${placeOf(right)}`);
  return [...groups].flatMap(([what, group]): readonly Check[] => {
    const allowed = group.filter((need) => !missing.has(need));
    if (allowed.length === group.length) return [fine('rights', `may ${verbsOf(group)} ${what}`)];
    // One line for each consequence: what it takes to mend it, and why one would.
    const lacking = Map.groupBy(group.filter((need) => missing.has(need)), ({ without }) => without);
    return [...lacking].map(([without, lost]) => ({
      level: lost.some(({ level }) => level === 'failure') ? 'failure' : 'warning',
      about: 'rights',
      text: `may not ${verbsOf(lost)} ${what}: ${without}`,
      advice: grant(lost),
      isDenial: true,
    }));
  });
}

function verbsOf(needs: readonly Need[]): string {
  return [...new Set(needs.map(({ right }) => right.verb))].join(', ');
}

function resourceOf({ group, resource, subresource, name }: Right): string {
  const base = group === '' ? resource : `${resource}.${group}`;
  return `${base}${subresource === undefined ? '' : `/${subresource}`}${name === undefined ? '' : ` ${name}`}`;
}

function placeOf({ namespace }: Right): string {
  return namespace === undefined ? 'in the whole cluster' : `in namespace ${namespace}`;
}

/** As kubectl makes it. The role is then to be bound to who asks. */
function grant(lost: readonly Need[]): string {
  const [first] = lost;
  if (first === undefined) return '';
  const { namespace, group, resource, subresource, name } = first.right;
  const verbs = [...new Set(lost.map(({ right }) => right.verb))].map((verb) => `--verb=${verb}`).join(' ');
  const what = `--resource=${group === '' ? resource : `${resource}.${group}`}${subresource === undefined ? '' : `/${subresource}`}${name === undefined ? '' : ` --resource-name=${name}`}`;
  return namespace === undefined ? `kubectl create clusterrole NAME ${verbs} ${what}, and bind it` : `kubectl create role NAME -n ${namespace} ${verbs} ${what}, and bind it`;
}
