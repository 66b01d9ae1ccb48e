import type { HookState, Operation, Phase, ResourceKey } from '../model/index.ts';
import type { LiveFacts } from './live-facts.ts';
import type { LiveLookup } from './plan-input.ts';

/** A hook may run in several phases of one operation: each is a run of its own. */
export function hookName(phase: Phase, key: ResourceKey): string {
  return `${phase} ${key}`;
}

/** What a hook's object carries so that it can be told from those of other runs. */
export function hookRun({ id }: Operation, phase: Phase): string {
  return `${id} ${phase}`;
}

/**
 * How the hooks of an operation stand by what is live. A name is not given twice, so one that is neither live nor on record was not begun; one
 * that is on record and not live was taken away before its end was seen.
 */
export function hookStates(operation: Operation, names: Iterable<string>, live: LiveLookup): Readonly<Record<string, HookState>> {
  const states = [...new Set([...Object.keys(operation.hooks), ...names])].map((name) => [name, stateOf(operation, name, live)] as const);
  return Object.fromEntries(states.flatMap(([name, state]) => (state === undefined ? [] : [[name, state]])));
}

function stateOf(operation: Operation, name: string, live: LiveLookup): HookState | undefined {
  const recorded = operation.hooks[name];
  if (recorded === 'succeeded' || recorded === 'failed') return recorded;
  const { phase, key } = parseHookName(name);
  const facts = live(key);
  if (facts === undefined || facts.hookRun !== hookRun(operation, phase)) return recorded === undefined ? undefined : 'failed';
  return stateByHealth(facts);
}

function stateByHealth({ health }: LiveFacts): HookState {
  if (health.status === 'Healthy') return 'succeeded';
  return health.status === 'Degraded' ? 'failed' : 'running';
}

export function parseHookName(name: string): { readonly phase: Phase; readonly key: ResourceKey } {
  const space = name.indexOf(' ');
  return { phase: name.slice(0, space) as Phase, key: name.slice(space + 1) as ResourceKey };
}
