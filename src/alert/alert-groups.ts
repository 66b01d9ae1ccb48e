import type { Candidate } from './candidates.ts';
import { fingerprint } from './fingerprint.ts';
import { latest } from './instant.ts';
import { namespaceOf } from './matches.ts';
import { familyOf, type Family } from './notification-type.ts';
import { owedNews, type News } from './owed.ts';
import { clusterParts } from './state-of.ts';

export interface GroupMember extends Candidate {
  readonly news: News;
  /** Told before, or given up: there is nothing new, and it still fires. */
  readonly isRepetition: boolean;
  /** Not before then, as far as this member goes. */
  readonly readyAt: number;
}

/** What is told together. */
export interface AlertGroup {
  readonly key: string;
  readonly family: Family;
  readonly members: readonly GroupMember[];
  /** No message before then, whatever there is to tell. */
  readonly openAt: number;
  /** When its next message is due. */
  readonly dueAt: number;
}

const clusterFingerprint = fingerprint(clusterParts);

/** Those of the candidates that have something to tell, by rule and by what the rule says belongs together. */
export function alertGroups(candidates: readonly Candidate[], mayTell: (candidate: Candidate) => boolean): readonly AlertGroup[] {
  return [...Map.groupBy(candidates, groupKey)].flatMap(([key, some]) => {
    const [first] = some;
    const members = some.flatMap((candidate) => memberOf(candidate) ?? []).filter((member) => mayTell(member));
    if (first === undefined || members.length === 0) return [];
    const openAt = lastMessageAt(some) + intervalMs(some, first);
    return [{ key, family: familyOf(first.alert), members, openAt, dueAt: Math.max(openAt, Math.min(...members.map(({ readyAt }) => readyAt))) }];
  });
}

/** The message that is due takes along all that is new, and no repetition before its time. */
export function membersAt({ members }: AlertGroup, now: number): readonly GroupMember[] {
  return members.filter(({ isRepetition, readyAt }) => readyAt <= now || !isRepetition);
}

function groupKey({ place: { application }, rule, alert }: Candidate): string {
  const family = familyOf(alert);
  if (family === 'healed' || isOfCluster({ alert })) return JSON.stringify([rule.name, family, 'all']);
  const values = { cluster: '', namespace: namespaceOf(application), app: application.id };
  return JSON.stringify([rule.name, family, ...(['cluster', 'namespace', 'app'] as const).map((by) => (rule.groupBy.includes(by) ? values[by] : null))]);
}

function isOfCluster({ alert }: Pick<Candidate, 'alert'>): boolean {
  return alert.about === 'Unknown' && alert.fingerprint === clusterFingerprint;
}

function memberOf(candidate: Candidate): GroupMember | undefined {
  const { alert, rule, delivery } = candidate;
  const news = owedNews(alert, rule, delivery);
  const lastAt = latest([delivery.toldAt, delivery.dead?.at]);
  if (news !== undefined) return { ...candidate, news, isRepetition: false, readyAt: lastAt === -Infinity ? Date.parse(alert.firedAt) + rule.groupWaitMs : Date.parse(alert.transitionAt) };
  if (alert.resolvedAt !== null || lastAt === -Infinity || rule.repeatIntervalMs <= 0) return undefined;
  return { ...candidate, news: delivery.toldState === 'firing' ? 'repeated' : 'firing', isRepetition: true, readyAt: lastAt + rule.repeatIntervalMs };
}

function lastMessageAt(candidates: readonly Candidate[]): number {
  return latest(candidates.flatMap(({ delivery: { toldAt, claim, dead } }) => [toldAt, claim?.at, dead?.at]));
}

/** A cluster that cannot be reached is told of once, and again when all of it can be: not as each application finds out. */
function intervalMs(candidates: readonly Candidate[], { rule, alert }: Candidate): number {
  if (!isOfCluster({ alert })) return rule.groupIntervalMs;
  const isTold = candidates.some((candidate) => candidate.delivery.toldState === 'firing' && (candidate.alert.resolvedAt === null || owedNews(candidate.alert, rule, candidate.delivery) !== undefined));
  const lasts = candidates.some((candidate) => candidate.alert.resolvedAt === null);
  return isTold && lasts && rule.repeatIntervalMs > 0 ? Math.max(rule.groupIntervalMs, rule.repeatIntervalMs) : rule.groupIntervalMs;
}
