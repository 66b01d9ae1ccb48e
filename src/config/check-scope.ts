import type { Scope } from './agent-config.ts';
import { configKeyNames, traitsOf, variableOf } from './config-keys.ts';
import { parseDuration } from './duration.ts';
import { nearestName } from './nearest-name.ts';
import { placeIn, type AllSaid } from './said.ts';

export interface Remarks {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const reasons = { single: 'one application is named with --repo', cluster: 'the applications are those in the cluster, without --repo and -f' } as const;

/** As an Application may ask for. In a cluster there are many of them. */
const leastInCluster = '10s';

export function scopeType(said: AllSaid): Scope['type'] {
  return said.has('repo') ? 'single' : said.has('filename') ? 'files' : 'cluster';
}

/** What is right by itself and does not go together. */
export function checkScope(said: AllSaid): Remarks {
  const scope = scopeType(said);
  const idle = [...said].flatMap(([key, { origin }]) => {
    const { only } = traitsOf(key);
    return only === undefined || only === scope ? [] : [{ origin, text: `${placeIn(said, key)} has no effect: it is for where ${reasons[only]}` }];
  });
  const problems = [
    ...(said.has('repo') && said.has('filename') ? [`${placeIn(said, 'repo')} and ${placeIn(said, 'filename')} exclude each other: give --repo for one application, or -f for those in files`] : []),
    // Variables are there for other commands too.
    ...idle.flatMap(({ origin, text }) => (origin.type === 'variable' ? [] : [text])),
    ...(scope === 'cluster' ? shortInterval(said) : []),
  ];
  const unheard = said.has('listenHooks') && !said.has('receivers') ? [`${placeIn(said, 'listenHooks')} has no effect: there are no receivers in a configuration file`] : [];
  return { problems, warnings: [...idle.flatMap(({ origin, text }) => (origin.type === 'variable' ? [text] : [])), ...unheard] };
}

function shortInterval(said: AllSaid): string[] {
  const interval = said.get('interval');
  if (interval === undefined || Number(interval.value) >= parseDuration(leastInCluster)) return [];
  return [`${placeIn(said, 'interval')} wants at least ${leastInCluster} for the applications in a cluster, got ${String(interval.raw)}`];
}

/** Variables that look like a slip in one of ours. Others of our prefix are normal: those of Git and Redis, and those that Kubernetes makes for Services. */
export function misspeltVariables(env: NodeJS.ProcessEnv): readonly string[] {
  const known = ['SETPOINT_CONFIG', ...configKeyNames.map(variableOf)];
  const others = Object.keys(env).filter((name) => name.startsWith('SETPOINT_') && !known.includes(name));
  return others.flatMap((name) => {
    const nearest = nearestName(name.slice('SETPOINT_'.length), known.map((other) => other.slice('SETPOINT_'.length)));
    return nearest === undefined ? [] : [`${name} is not known: did you mean SETPOINT_${nearest}?`];
  });
}
