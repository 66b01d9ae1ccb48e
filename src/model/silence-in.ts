import type { AlertedState, Silence } from './alert.ts';
import { isList, isObject, type Json } from './json.ts';
import { muteIn, timeIn } from './mute-in.ts';
import type { Cause } from './verdict.ts';

type Match = Silence['match'];

const causes: Readonly<Record<Cause, true>> = { 'git-ahead': true, 'live-changed': true, both: true };
const states: Readonly<Record<AlertedState, true>> = { Unknown: true, Contested: true, SyncFailed: true, SyncSucceeded: true, Degraded: true };
const anything = (): boolean => true;
const knownWords: Readonly<Record<Exclude<keyof Match, 'labels'>, (word: string) => boolean>> = {
  cause: (word) => Object.hasOwn(causes, word),
  status: (word) => Object.hasOwn(states, word),
  applications: anything,
  namespaces: anything,
  kinds: anything,
  fields: anything,
  rules: anything,
};
const idForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const mostWords = 50;
const longestWord = 512;

/** A silence as it was stored under its id; undefined where it is none. Whoever may write it may keep alerts quiet. */
export function silenceIn(id: string, stored: Json | undefined): Silence | undefined {
  if (!idForm.test(id) || !isObject(stored)) return undefined;
  const { match: written, from } = stored;
  const [match, mute, start] = [matchIn(written), muteIn(stored), timeIn(from)];
  return match === undefined || mute === undefined || start === undefined ? undefined : { id, match, from: start, ...mute };
}

/** A key that is not known would be a condition that is not held: the silence would be about more than was meant. */
function matchIn(stored: Json | undefined): Match | undefined {
  if (!isObject(stored)) return undefined;
  const entries = Object.entries(stored);
  return entries.every(([key, value]) => (key === 'labels' ? areLabels(value) : areWords(key, value))) ? stored : undefined;
}

function areWords(key: string, value: Json): boolean {
  const isKnown = Object.hasOwn(knownWords, key) ? knownWords[key as keyof typeof knownWords] : undefined;
  return isKnown !== undefined && isList(value) && value.length > 0 && value.length <= mostWords && value.every((word) => isWord(word) && isKnown(word));
}

function areLabels(value: Json): boolean {
  return isObject(value) && Object.keys(value).length <= mostWords && Object.values(value).every((word) => typeof word === 'string' && word.length <= longestWord);
}

function isWord(value: Json): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestWord;
}
