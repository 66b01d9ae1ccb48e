import { SetpointError, silenceIn, type JsonObject, type Silence } from '../model/index.ts';

type Match = Silence['match'];

/** What people write, and what it is called in a match. */
const keys = {
  cause: 'cause',
  status: 'status',
  app: 'applications',
  namespace: 'namespaces',
  kind: 'kinds',
  field: 'fields',
  rule: 'rules',
} as const satisfies Readonly<Record<string, keyof Match>>;
const names = Object.keys(keys) as (keyof typeof keys)[];
const labelPrefix = 'label.';
const wanted = `${names.join('=, ')}= or ${labelPrefix}NAME=`;
const choices: Readonly<Record<string, string>> = { cause: 'live-changed, git-ahead or both', status: 'Unknown, Contested, SyncFailed, SyncSucceeded or Degraded' };

/** `cause=live-changed`, `label.tier=3`: all keys must hold, of one key that comes again any value. */
export function matchFrom(matchers: readonly string[]): Match {
  if (matchers.length === 0) throw new SetpointError('Usage', `what is to be muted? Name an application, or give --matcher ${wanted}`);
  const parts = matchers.map(partsOf);
  const labels = parts.filter(([key]) => key.startsWith(labelPrefix));
  const twice = labels.find(([key], at) => labels.findIndex(([other]) => other === key) < at);
  if (twice !== undefined) throw new SetpointError('Usage', `--matcher ${twice[0]}= wants one value, because an Application has one for a label, got several`);
  const words = Map.groupBy(parts.filter((part) => !labels.includes(part)), ([key]) => keys[key as keyof typeof keys]);
  return {
    ...Object.fromEntries([...words].map(([name, some]) => [name, some.map(([, value]) => value)])),
    ...(labels.length > 0 && { labels: Object.fromEntries(labels.map(([key, value]) => [key.slice(labelPrefix.length), value])) }),
  };
}

/** The same for people: `cause=live-changed namespace=shop`. */
export function matchText(match: Match): string {
  const words = names.flatMap((name) => (match[keys[name]] ?? []).map((value) => `${name}=${value}`));
  const labels = Object.entries(match.labels ?? {}).map(([label, value]) => `${labelPrefix}${label}=${value}`);
  return [...words, ...labels].join(' ') || 'everything';
}

function partsOf(matcher: string): readonly [key: string, value: string] {
  const equals = matcher.indexOf('=');
  const [key, value] = equals === -1 ? [matcher, ''] : [matcher.slice(0, equals), matcher.slice(equals + 1)];
  const isLabel = key.startsWith(labelPrefix) && key.length > labelPrefix.length;
  if (equals === -1 || !(isLabel || Object.hasOwn(keys, key))) throw new SetpointError('Usage', `--matcher wants ${wanted}, got ${matcher === '' ? 'nothing' : matcher}`);
  if (isLabel) return [key, value];
  if (value === '') throw new SetpointError('Usage', `--matcher ${key}= wants a value, got nothing`);
  if (!isUnderstood({ [keys[key as keyof typeof keys]]: [value] })) throw new SetpointError('Usage', `--matcher ${key}= wants ${choices[key] ?? 'a shorter text'}, got ${value}`);
  return [key, value];
}

/** The agent ignores what it cannot understand, so that mistakes are told here. */
function isUnderstood(match: JsonObject): boolean {
  const time = '2026-01-01T00:00:00Z';
  return silenceIn('test', { match, from: time, until: time }) !== undefined;
}
