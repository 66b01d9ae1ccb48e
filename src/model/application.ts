import type { ApplicationPolicy, ApplicationSpec } from './application-spec.ts';
import type { Source } from './source.ts';

/** An application as it is looked at: what is wanted of it, with nothing left open. */
export interface Application extends ApplicationSpec {
  readonly destination: { readonly namespace: string };
}

type Parts = Pick<Application, 'name' | 'sources'> & Partial<Application>;

/** An application that asks for nothing but to be looked at, unless told otherwise. */
export function plainApplication(parts: Parts): Application {
  return {
    id: parts.name,
    namespace: undefined,
    uid: undefined,
    generation: undefined,
    labels: {},
    destination: { namespace: 'default' },
    policy: { deploy: 'manual', drift: 'Alert', foreignFields: 'Report', prune: false },
    ignoreRules: [],
    retry: { durationMs: undefined, factor: undefined, maxDurationMs: undefined, limit: undefined },
    syncOptions: [],
    deletionPolicy: 'Orphan',
    pause: undefined,
    refresh: undefined,
    intervalMs: undefined,
    deleting: false,
    warnings: [],
    ...parts,
  };
}

/** One of which hardly more is known than what it is called. */
export function namedApplication(id: string, parts: Partial<Application> = {}): Application {
  const slash = id.indexOf('/');
  return plainApplication({ id, name: id.slice(slash + 1), namespace: slash === -1 ? undefined : id.slice(0, slash), sources: [], ...parts });
}

/** In one word: whether anything is ever done about a difference. */
export type Mode = 'alert' | 'auto' | 'paused';

export function modeOf({ policy, pause }: Pick<ApplicationSpec, 'policy' | 'pause'>, now: Date): Mode {
  if (!actsOnSomething(policy)) return 'alert';
  return isPaused(pause, now) ? 'paused' : 'auto';
}

export function isPaused(pause: ApplicationSpec['pause'], now: Date): boolean {
  return pause !== undefined && (pause.until === undefined || now.getTime() < Date.parse(pause.until));
}

function actsOnSomething({ deploy, drift, rules = [] }: ApplicationPolicy): boolean {
  return deploy === 'automatic' || drift === 'Heal' || rules.some(({ mode }) => mode === 'Heal');
}

/** Fields that people added are taken away where live changes are put back at all. */
export function revertsForeign({ drift, foreignFields }: ApplicationPolicy): boolean {
  return drift === 'Heal' && foreignFields === 'Revert';
}

/** The source that stands for the application where there is room for one: the first that is rendered. */
export function mainSource({ sources }: Pick<ApplicationSpec, 'sources'>): Source {
  const main = sources.find(({ path }) => path !== undefined) ?? sources[0];
  if (main === undefined) throw new RangeError('an application has at least one source');
  return main;
}
