import type { ResourceKey } from '../../src/model/index.ts';
import { timeAt } from './agent/agent-clock.ts';
import { wantedAt } from './checks/truth.ts';
import type { Scene } from './scene.ts';
import type { StoredApplication, Wishes } from './world/application-server.ts';
import { folderOf, type Fields, type Folder } from './world/git-server.ts';
import { configMapKey } from './world/object-server.ts';

/** Those who push, edit by hand, and change their minds. */
export interface People {
  /** Makes the applications, and what is there before any agent. */
  setUp(): void;
  /** Something that somebody does. */
  act(): void;
  /** Changes a declared field by hand; undefined where that would be no change. */
  edit(stored: StoredApplication): ResourceKey | undefined;
  /** Puts an object as Git wants it, by hand. */
  restore(stored: StoredApplication, key: ResourceKey): void;
}

export const objectNames = ['a', 'b', 'c', 'd'] as const;
const fieldNames = ['x', 'y', 'z'] as const;
const byHand = 'kubectl-edit';
const policies: readonly Wishes['policy'][] = [
  { deploy: 'manual', drift: 'Alert', prune: false },
  { deploy: 'automatic', drift: 'Alert', prune: true },
  { deploy: 'automatic', drift: 'Heal', prune: true },
  { deploy: 'automatic', drift: 'Heal', prune: true },
  { deploy: 'manual', drift: 'Heal', prune: false },
  { deploy: 'automatic', drift: 'Ignore', prune: false },
];

export function createPeople(scene: Scene, onPush: () => void): People {
  const { dice, git, objects, applications, witness, trace, world } = scene;
  let requests = 0;
  const say = (text: () => string): void => trace?.(text);
  /** Most worlds are small: so many more of them can be tried. */
  const few = (least: number, most: number): number => least + Math.floor(dice.next() ** 2 * (most - least + 1));
  const anyFields = (): Fields => Object.fromEntries(fieldNames.slice(0, dice.count(1, 3)).map((field) => [field, String(dice.count(0, 4))]));
  const anyWishes = (): Wishes => ({ isValid: true, policy: dice.pick(policies) ?? { deploy: 'manual', drift: 'Alert', prune: false }, pause: undefined, refresh: undefined, sync: undefined, terminate: undefined });
  const anyApplication = (): StoredApplication | undefined => dice.pick(applications.all());
  const wantedNow = (stored: StoredApplication): ReadonlyMap<ResourceKey, Fields> => wantedAt(git.head(), stored) ?? new Map();

  function push(change?: Parameters<typeof git.push>[0]): void {
    const { id } = git.push(change);
    say(() => `somebody pushes ${id}${change === undefined ? '' : `: ${change.path} ${JSON.stringify(change.folder.type === 'objects' ? { ...change.folder.objects, ...unreadIn(change.folder) } : 'broken')}`}`);
    onPush();
  }

  function pushSomething(): void {
    const stored = anyApplication();
    if (stored === undefined || dice.chance(0.15)) return push();
    const path = stored.application.name;
    const folder = git.head().folders.get(path);
    if (folder?.type === 'objects' && dice.chance(0.08)) return push({ path, folder: { type: 'broken' } });
    const before = folder?.type === 'objects' ? { ...folder.unread, ...folder.objects } : {};
    const name = dice.pick(objectNames) ?? 'a';
    const { [name]: left, ...others } = before;
    if (left !== undefined && dice.chance(0.08)) return push({ path, folder: folderOf(others, { [name]: left }) });
    const isGone = dice.chance(0.35) && Object.keys(others).length > 0;
    push({ path, folder: folderOf(isGone ? others : { ...before, [name]: anyFields() }) });
  }

  function edit(stored: StoredApplication, by = byHand): ResourceKey | undefined {
    const [key, fields] = dice.pick([...wantedNow(stored)]) ?? [];
    if (key === undefined || fields === undefined) return undefined;
    const field = dice.pick(Object.keys(fields)) ?? 'x';
    const value = dice.chance(0.2) ? undefined : `${fields[field]}-${dice.count(1, 3)}`;
    if (objects.latest(key).content === undefined) return undefined;
    say(() => `${by} sets ${field} of ${key} to ${value}`);
    objects.edit(key, { [field]: value }, by);
    return key;
  }

  function restore(stored: StoredApplication, key: ResourceKey): void {
    const fields = wantedNow(stored).get(key);
    if (fields === undefined) return;
    say(() => `somebody puts ${key} as Git wants it`);
    objects.edit(key, fields, byHand);
  }

  /** Somebody who cannot make up their mind, or a script that does several things in a row. */
  function fidget(stored: StoredApplication, key: ResourceKey): void {
    const times = dice.count(2, 4);
    for (let time = 1; time <= times; time += 1) world.in(time * dice.between(5, 200), () => void (dice.chance(0.5) ? restore(stored, key) : edit(stored)));
  }

  /** Asks for a sync, or ends the one under way. */
  function anyRequest(stored: StoredApplication): Partial<Wishes> {
    const { operation, history } = witness.recorded(stored);
    if (operation !== null && dice.chance(0.3)) return { terminate: operation.id };
    const revision = dice.chance(0.4) ? (dice.pick(history)?.revision ?? undefined) : undefined;
    const resources = [...wantedNow(stored).keys()].filter(() => dice.chance(0.5));
    return { sync: { id: `request-${(requests += 1)}`, by: 'somebody', ...(revision !== undefined && { revision }), ...(resources.length > 0 && dice.chance(0.3) && { resources }), ...(dice.chance(0.2) && { prune: true }) } };
  }

  function otherWishes(stored: StoredApplication): Partial<Wishes> {
    const chance = dice.next();
    if (!stored.wishes.isValid) return { isValid: true };
    if (chance < 0.4) return { policy: anyWishes().policy };
    if (chance < 0.45) return { isValid: false };
    if (chance < 0.65) return { pause: undefined };
    if (chance < 0.8) return { refresh: timeAt(world).toISOString() };
    const until = new Date(timeAt(world).getTime() + dice.between(5_000, 60_000)).toISOString();
    return { pause: { until: dice.chance(0.5) ? until : undefined, reason: undefined } };
  }

  function changeWishes(stored: StoredApplication, wishes: Partial<Wishes>): void {
    const { id } = stored;
    say(() => `somebody changes ${id}: ${JSON.stringify(wishes)}`);
    applications.change(id, wishes);
  }

  function actOn(stored: StoredApplication): void {
    const key = dice.pick([...wantedNow(stored).keys()]);
    const chance = dice.next();
    if (chance < 0.3) edit(stored);
    else if (chance < 0.4 && key !== undefined) fidget(stored, key);
    else if (chance < 0.5 && key !== undefined) restore(stored, key);
    else if (chance < 0.55 && key !== undefined) {
      say(() => `somebody adds a field to ${key}`);
      objects.edit(key, { extra: String(dice.count(0, 3)) }, byHand);
    } else if (chance < 0.63 && key !== undefined) {
      say(() => `somebody deletes ${key}`);
      objects.remove(key, byHand);
    } else if (chance < 0.66) edit(stored, 'some-operator');
    else if (chance < 0.8) changeWishes(stored, otherWishes(stored));
    else if (chance < 0.9) changeWishes(stored, anyRequest(stored));
    else if (chance < 0.95) applications.touch(stored.id);
    else {
      const isMadeAgain = dice.chance(0.8);
      say(() => `somebody deletes ${stored.id}${isMadeAgain ? ' and makes it again' : ''}`);
      applications.remove(stored.id);
      if (isMadeAgain) applications.create(stored.application.name, anyWishes());
    }
  }

  return {
    setUp() {
      const count = few(2, 5);
      for (let at = 1; at <= count; at += 1) {
        const name = `app-${at}`;
        const folder = folderOf(Object.fromEntries(objectNames.slice(0, few(1, 4)).map((object) => [object, anyFields()])));
        git.push({ path: name, folder });
        if (folder.type === 'objects') for (const [object, fields] of Object.entries(folder.objects)) if (dice.chance(0.6)) objects.apply(configMapKey(name, object), { data: fields, annotations: {} }, true);
        applications.create(name, anyWishes());
      }
    },
    act() {
      const stored = anyApplication();
      if (stored === undefined || dice.chance(0.3)) pushSomething();
      else actOn(stored);
    },
    edit: (stored) => edit(stored),
    restore,
  };
}

function unreadIn({ unread }: Extract<Folder, { type: 'objects' }>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(unread).map((name) => [name, 'unreadable']));
}
