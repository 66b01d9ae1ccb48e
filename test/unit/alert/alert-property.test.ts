// Thousands of steps in an invented world. A seed that fails is repeated with SETPOINT_SEED.
import { expect, test } from 'vitest';
import { activeMutes, advanceAlerts } from '../../../src/alert/index.ts';
import type { Alert, Episode, Silence } from '../../../src/model/index.ts';
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { createScene, exampleRule, hours, keyOf, minutes, seconds, start, type Attempt, type Fate, type Scene } from './alert-scene.ts';

const days = 24 * hours;
const applications = ['a', 'b', 'c', 'd', 'e', 'f'];
const names = ['x', 'y', 'z'];
const rules = [
  exampleRule({ destinations: ['chat', 'pager'], sendHealed: true }),
  exampleRule({ name: 'team', match: { applications: ['a', 'b', 'c'] }, forMs: 30 * seconds, groupBy: [], groupIntervalMs: 10 * minutes, repeatIntervalMs: 6 * hours, sendResolved: false, destinations: ['mail'] }),
  exampleRule({ name: 'blind', match: { status: ['Unknown'] }, forMs: 15 * minutes, destinations: ['pager'] }),
];
const destinations = ['chat', 'pager', 'mail'];

interface Expectation {
  readonly application: string;
  readonly episode: Episode;
}

/** What the world knows of each episode, apart from the alerts. */
interface Ledger {
  readonly episodes: Map<string, Expectation>;
  /** Over while it was silenced: nobody has to hear of it. */
  readonly excused: Set<string>;
}

function isSilenced(scene: Scene, application: string): boolean {
  return scene.silences.some(({ from, until, match }) => Date.parse(from) <= scene.now() && scene.now() < Date.parse(until) && match.applications?.includes(application) === true);
}

function note(scene: Scene, { episodes, excused }: Ledger): void {
  for (const application of applications) {
    for (const episode of scene.place(application).status.episodes) {
      episodes.set(episode.id, { application, episode });
      if (episode.closedAt !== null && isSilenced(scene, application)) excused.add(episode.id);
    }
  }
}

type Act = (scene: Scene, random: SeededRandom) => void;

const pick = <T>(random: SeededRandom, list: readonly T[]): T => {
  const chosen = list[random.below(list.length)];
  if (chosen === undefined) throw new RangeError('nothing to choose from');
  return chosen;
};
const application = (random: SeededRandom): string => pick(random, applications);
const silence = (scene: Scene, random: SeededRandom): Silence => ({
  id: `s${scene.now()}`,
  match: { applications: [application(random)] },
  from: new Date(scene.now()).toISOString(),
  until: new Date(scene.now() + random.below(2 * hours)).toISOString(),
  author: 'ada',
  reason: 'an upgrade',
});

const acts: readonly (readonly [weight: number, act: Act])[] = [
  [20, (scene, random) => scene.drift(application(random), [pick(random, names)], { path: pick(random, ['/spec/replicas', '/spec/paused']) })],
  [16, (scene, random) => scene.end(application(random), pick(random, names))],
  [6, (scene, random) => scene.heal(application(random), pick(random, names))],
  [3, (scene, random) => scene.drift(application(random), [pick(random, names)], { cause: 'git-ahead' })],
  [3, (scene, random) => { for (const id of applications) scene.drift(id, names.slice(random.below(2))); }],
  [3, (scene) => { for (const id of applications) scene.end(id, ...names); }],
  [4, (scene, random) => scene.blind(application(random), pick(random, ['RenderFailed', 'ClusterUnreachable']))],
  [2, (scene) => { for (const id of applications) scene.blind(id, 'ClusterUnreachable'); }],
  [5, (scene) => { for (const id of applications) scene.see(id); }],
  [5, (scene, random) => scene.sync(application(random), { id: `op${scene.now()}` })],
  [12, (scene) => { for (const id of applications) scene.sync(id, { state: 'succeeded' }); }],
  [2, (scene, random) => { scene.silences = [...scene.silences, silence(scene, random)]; }],
  [5, (scene, random) => scene.stop(random.below(20 * minutes))],
];

function chosenAct(random: SeededRandom): Act {
  const all = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));
  return pick(random, all);
}

const pauses = [0, 200, 5 * seconds, 40 * seconds, 3 * minutes, 6 * minutes, 20 * minutes, 3 * hours, 2 * days];

/** Sinks that fail for spells, refuse now and then, and a dispatcher that crashes wherever it can. */
function fates(random: SeededRandom): (destination: string) => Fate {
  const down = new Set<string>();
  return (destination) => {
    if (random.below(12) === 0) down.add(destination);
    else if (random.below(6) === 0) down.delete(destination);
    if (down.has(destination)) return { type: 'retry', why: 'no answer', ...(random.below(4) === 0 ? { afterMs: random.below(hours) } : {}) };
    const die = random.below(40);
    if (die === 0) return { type: 'refused', why: 'no such channel' };
    if (die < 5) return { type: 'crash', at: pick(random, ['claiming', 'sending', 'recording', 'half recorded']) };
    return { type: 'sent' };
  };
}

function isDelivered({ fate }: Attempt): boolean {
  return fate.type === 'sent' || (fate.type === 'crash' && fate.at !== 'claiming' && fate.at !== 'sending');
}

const keysOf = ({ planned: { destination }, claimed }: Attempt): readonly string[] =>
  [...new Set(claimed.filter(({ alert }) => alert.about !== 'Unknown').map(({ application: id, alert }) => [destination, alert.rule, alert.about ?? 'drift', alert.about === 'healed' || alert.rule === 'team' ? '' : id].join(' ')))];

/** Two messages of one group, other than another try of the same. */
function tooClose(attempts: readonly Attempt[]): readonly string[] {
  const last = new Map<string, number>();
  return attempts.flatMap((attempt) => {
    const keys = keysOf(attempt);
    const close = attempt.planned.isClaimed ? [] : keys.filter((key) => attempt.at - (last.get(key) ?? -Infinity) < (key.includes(' team ') ? 10 : 5) * minutes);
    if (!attempt.planned.isClaimed) for (const key of keys) last.set(key, attempt.at);
    return close.map((key) => `${attempt.at - start} ${key} ${attempt.planned.id}`);
  });
}

/** Ids that stand for more than they stood for at first. */
function reusedIds(attempts: readonly Attempt[]): readonly string[] {
  const meanings = new Map<string, ReadonlySet<string>>();
  return attempts.flatMap(({ planned: { id, isClaimed }, claimed }) => {
    const meaning = new Set(claimed.map(({ alert, transition, state }) => `${alert.id} ${transition} ${state}`));
    const before = meanings.get(id);
    if (before === undefined) meanings.set(id, meaning);
    const isKnown = before === undefined ? !isClaimed : isClaimed && meaning.isSubsetOf(before);
    return isKnown ? [] : [id];
  });
}

/** Ends of what nobody was told to have begun, and nothing else. */
function emptyEnds(attempts: readonly Attempt[]): readonly string[] {
  const told = new Map<string, { readonly transition: number; readonly state: string }>();
  return attempts.filter(isDelivered).flatMap(({ planned: { destination, isClaimed }, claimed }) =>
    claimed.flatMap(({ alert, transition, state }) => {
      const key = `${destination} ${alert.id}`;
      const before = told.get(key) ?? { transition: 0, state: 'resolved' };
      told.set(key, { transition, state });
      const isFounded = isClaimed || state === 'firing' || transition - before.transition > 1 || (before.state === 'firing' && transition > before.transition);
      return isFounded ? [] : [`${key} ${transition}`];
    }),
  );
}

/** Which episodes have to have been told by which rule: those that lasted, and those that were healed where that is told. */
function untold(attempts: readonly Attempt[], { episodes, excused }: Ledger): readonly string[] {
  const told = new Set(
    attempts.filter((attempt) => isDelivered(attempt) || attempt.fate.type === 'refused' || attempt.fate.type === 'retry').flatMap(({ planned: { destination, id }, claimed, fate }) => {
      const isLost = fate.type === 'retry' && attempts.filter((other) => other.planned.id === id && other.fate.type === 'retry').length < 9;
      return isLost ? [] : claimed.flatMap(({ alert }) => alert.episodes.map((episode) => `${alert.rule} ${destination} ${episode}`));
    }),
  );
  return [...episodes].flatMap(([id, { application: where, episode: { openedAt, closedAt, correctedAt, cause } }]) =>
    rules
      .filter(({ match }) => match.status === undefined && match.applications?.includes(where) !== false && cause !== 'git-ahead' && !excused.has(id))
      .filter(({ forMs, sendHealed }) => {
        const hasLasted = Date.parse(correctedAt ?? closedAt ?? '9999') - Date.parse(openedAt) >= forMs;
        return hasLasted || (sendHealed && correctedAt !== undefined && closedAt !== null);
      })
      .flatMap((rule) => rule.destinations.filter((destination) => !told.has(`${rule.name} ${destination} ${id}`)).map((destination) => `${rule.name} ${destination} ${id} ${where} ${openedAt} ${closedAt} ${correctedAt ?? ''}`)),
  );
}

/** Whether a second time changes nothing. The first one may: a crash comes between a message and the next round. */
function isSteady(scene: Scene, id: string): boolean {
  const place = scene.place(id);
  const now = new Date(scene.now());
  const advanced = (alerts: readonly Alert[]): readonly Alert[] =>
    advanceAlerts({ ...place, alerts, rules, mutes: activeMutes({ silences: scene.silences }, now), destinations: { names: destinations, disabled: [] }, now, newId: () => 'another' }).alerts;
  const once = advanced(place.alerts);
  return advanced(once) === once;
}

function live(seed: number, steps: number): { readonly scene: Scene; readonly ledger: Ledger; readonly most: number; readonly unsteady: number } {
  const random = seededRandom(seed);
  const scene = createScene({ rules, applications, destinations, random: random.next });
  const ledger: Ledger = { episodes: new Map(), excused: new Set() };
  const fate = fates(random);
  scene.fate = ({ destination }) => fate(destination);
  let [most, unsteady] = [0, 0];
  for (let step = 0; step < steps; step += 1) {
    chosenAct(random)(scene, random);
    note(scene, ledger);
    scene.pass(pick(random, pauses.slice(0, random.below(20) === 0 ? undefined : 7)));
    note(scene, ledger);
    most = Math.max(most, ...applications.map((id) => JSON.stringify(scene.alertsOf(id)).length));
    unsteady += applications.filter((id) => !isSteady(scene, id)).length;
  }
  scene.fate = () => ({ type: 'sent' });
  for (const id of applications) {
    scene.sync(id, null);
    scene.see(id);
  }
  scene.pass(2 * days);
  for (const id of applications) scene.end(id, ...names);
  note(scene, ledger);
  scene.pass(2 * days);
  return { scene, ledger, most, unsteady };
}

const given = seededRandom().seed;

test.each([given, ...Array.from({ length: 5 }, (_, at) => at + 1)])('nothing is lost, doubled or hurried, and all comes to rest (seed %i)', (seed) => {
  const { scene, ledger, most, unsteady } = live(seed, 400);
  expect(scene.sent.length).toBeGreaterThan(100);
  expect(ledger.episodes.size).toBeGreaterThan(50);
  expect(untold(scene.attempts, ledger)).toEqual([]);
  expect(tooClose(scene.attempts)).toEqual([]);
  expect(reusedIds(scene.attempts)).toEqual([]);
  expect(emptyEnds(scene.attempts)).toEqual([]);
  expect(unsteady).toBe(0);
  expect(most).toBeLessThan(60_000);
  const before = scene.sent.length;
  scene.pass(20 * days);
  expect(scene.sent).toHaveLength(before);
  expect(applications.flatMap((id) => scene.alertsOf(id))).toEqual([]);
  expect(scene.nextAt()).toBeUndefined();
});

test('the world of this test would notice a drift that nobody was told of', () => {
  const { scene, ledger } = live(1, 50);
  const [first] = scene.place('a').status.episodes;
  const forged: Episode = { id: 'forged', key: keyOf('x'), cause: 'live-changed', openedAt: new Date(start).toISOString(), closedAt: new Date(start + hours).toISOString(), fingerprint: first?.fingerprint ?? '', fields: [] };
  ledger.episodes.set('forged', { application: 'a', episode: forged });
  expect(untold(scene.attempts, ledger)).toHaveLength(3);
});
