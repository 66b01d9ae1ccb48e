import { childOf, entriesOf, type KubeObject, type Phase } from '../model/index.ts';
import { helmDeletePolicies, helmPhases } from './helm-hooks.ts';
import { readObjectOptions, type SyncOptions } from './sync-options.ts';

export type HookDeletePolicy = 'HookSucceeded' | 'HookFailed' | 'BeforeHookCreation';

/** What an object says about its own syncing. */
export interface Marks {
  /** `skipped`: Git has it, and nobody applies it. */
  readonly role: 'resource' | 'hook' | 'skipped';
  /** Of a hook; none where it is one of a kind that never runs here. */
  readonly phases: readonly Phase[];
  readonly wave: number;
  readonly deletePolicies: readonly HookDeletePolicy[];
  readonly options: SyncOptions;
  /** What cannot be read. Nothing is guessed: an object with problems is not synced. */
  readonly problems: readonly string[];
}

/** Of what could not be read. */
export const unmarked: Marks = { role: 'resource', phases: [], wave: 0, deletePolicies: [], options: {}, problems: [] };

const phases: readonly Phase[] = ['PreSync', 'Sync', 'PostSync', 'SyncFail', 'PreDelete', 'PostDelete'];
const policies: readonly HookDeletePolicy[] = ['HookSucceeded', 'HookFailed', 'BeforeHookCreation'];

/** Ours, else those of Argo CD, else, for hooks, those of Helm as Argo CD understands them. */
export function readMarks(object: KubeObject): Marks {
  const problems: string[] = [];
  const annotations = new Map(entriesOf(childOf(object.metadata, 'annotations')).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
  const marks = { annotations, problems };
  const is = (name: string, text: string): boolean => annotations.get(name) === text;
  return {
    ...readHook(marks),
    wave: readWave(marks),
    deletePolicies: readDeletePolicies(marks),
    options: readObjectOptions({ written: given(marks, 'sync-options')?.text, keep: is('helm.sh/resource-policy', 'keep'), adopt: annotations.get('setpoint.dev/adopt') }, problems),
    problems,
  };
}

/** Whether it is left out of the comparison: a hook is run, not kept. */
export function isHook(object: KubeObject): boolean {
  return readMarks(object).role !== 'resource';
}

interface Written {
  readonly annotations: ReadonlyMap<string, string>;
  readonly problems: string[];
}

function given({ annotations }: Written, name: string): { readonly name: string; readonly text: string } | undefined {
  for (const domain of ['setpoint.dev', 'argocd.argoproj.io']) {
    const text = annotations.get(`${domain}/${name}`);
    if (text !== undefined) return { name: `${domain}/${name}`, text };
  }
  return undefined;
}

function readHook(written: Written): Pick<Marks, 'role' | 'phases'> {
  const hook = given(written, 'hook');
  if (hook !== undefined) {
    const names = listOf(hook.text);
    if (names.length === 1 && names[0] === 'Skip') return { role: 'skipped', phases: [] };
    return { role: 'hook', phases: known(names.filter((name) => name !== 'Skip'), { at: hook.name, wanted: phases, problems: written.problems }) };
  }
  const helm = written.annotations.get('helm.sh/hook');
  // Helm marks definitions that come first as hooks. They are no hooks: they stay.
  if (helm === undefined || helm.trim() === 'crd-install') return { role: 'resource', phases: [] };
  return { role: 'hook', phases: helmPhases(listOf(helm), written.problems) };
}

function readWave(written: Written): number {
  const weight = written.annotations.get('helm.sh/hook-weight');
  const wave = given(written, 'sync-wave') ?? (weight === undefined ? undefined : { name: 'helm.sh/hook-weight', text: weight });
  if (wave === undefined) return 0;
  if (/^[+-]?\d{1,9}$/.test(wave.text)) return Number(wave.text);
  written.problems.push(`${wave.name} is to be a whole number, and is "${wave.text}"`);
  return 0;
}

function readDeletePolicies(written: Written): readonly HookDeletePolicy[] {
  const own = given(written, 'hook-delete-policy');
  const read =
    own === undefined
      ? helmDeletePolicies(listOf(written.annotations.get('helm.sh/hook-delete-policy') ?? ''), written.problems)
      : known(listOf(own.text), { at: own.name, wanted: policies, problems: written.problems });
  return read.length === 0 ? ['BeforeHookCreation'] : read;
}

interface Wanted<Name> {
  readonly at: string;
  readonly wanted: readonly Name[];
  readonly problems: string[];
}

function known<Name extends string>(names: readonly string[], { at, wanted, problems }: Wanted<Name>): readonly Name[] {
  const strange = names.filter((name) => !wanted.some((one) => one === name));
  if (names.length === 0) problems.push(`${at} is empty: it is to be one or more of ${wanted.join(', ')}`);
  if (strange.length > 0) problems.push(`${at} is to be of ${wanted.join(', ')}, and has "${strange.join(', ')}"`);
  return wanted.filter((name) => names.includes(name));
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
