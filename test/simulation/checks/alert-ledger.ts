import type { Alert, AlertRule, AppStatus, Claim } from '../../../src/model/index.ts';
import type { Network } from '../world/network.ts';
import type { Sending } from '../world/sink.ts';
import type { Violated } from './witness.ts';

/** A message on its way from a process to a destination. */
export interface Attempt {
  /** The destination has taken a copy of it. */
  arrived(): void;
  /** The process has heard so. */
  answered(): void;
}

/** Holds messages against what is on record, and what is on record against the messages that came. One for all Applications. */
export interface AlertLedger {
  written(id: string, status: AppStatus): void;
  /** An Application is gone, and what was to be told of it. */
  gone(id: string): void;
  sent(sending: Sending): Attempt;
  /** What destinations have yet to hear of the alerts that are on record for longer than that. */
  owed(id: string, alerts: readonly Alert[], since: number): readonly string[];
}

interface Promised extends Pick<Claim, 'transition' | 'at'> {
  readonly id: string;
  readonly state: 'firing' | 'resolved';
}

interface Copies {
  /** The alerts that the first copy told of: who takes each id once has heard of no others. */
  readonly subjects: ReadonlySet<string>;
  /** Of the last copy. */
  attempt: Attempt;
  epoch: number;
  /** Whether the sender of the last copy has heard that it was taken. */
  isAnswered: boolean;
}

interface Options {
  readonly rules: readonly AlertRule[];
  readonly network: Pick<Network, 'isDown'>;
  readonly violated: Violated;
}

export function createAlertLedger({ rules, network, violated }: Options): AlertLedger {
  /** By destination and id of the notification: what is on record as claimed, by alert. */
  const promised = new Map<string, Map<string, Promised>>();
  const received = new Map<string, Copies>();
  /** By destination and alert: what was heard last. */
  const told = new Map<string, Promised & { readonly notification: string }>();
  /** By destination and Application: when that was claimed which came last. */
  const lastClaims = new Map<string, string>();
  const recorded = new Map<string, readonly Alert[]>();

  function checkLeft(id: string, before: Alert, after: Alert | undefined): void {
    for (const [sink, { claim }] of Object.entries(before.deliveries)) {
      const isLeft = claim !== undefined && after?.deliveries[sink]?.claim?.notification !== claim.notification;
      if (isLeft && received.get(`${sink} ${claim.notification}`)?.subjects.has(before.id) !== true) violated(`${claim.notification} of ${id} is no longer claimed for ${sink}, and has not come`);
    }
    if (after !== undefined && after.transition < before.transition) violated(`alert ${before.id} of ${id} goes back from transition ${before.transition} to ${after.transition}`);
    if (after === undefined && (before.resolvedAt === null || isUntold(before))) violated(`alert ${before.id} of ${id} is no longer on record, and not all is told`);
  }

  function promise(id: string, alert: Alert): void {
    for (const [sink, { claim, dead }] of Object.entries(alert.deliveries)) {
      if (dead !== undefined) violated(`${dead.notification} of ${id} to ${sink} was given up`);
      if (claim === undefined) continue;
      const key = `${sink} ${claim.notification}`;
      const members = promised.get(key) ?? new Map<string, Promised>();
      promised.set(key, members);
      const before = members.get(alert.id);
      if (before !== undefined && (before.id !== id || before.transition !== claim.transition)) violated(`${claim.notification} of ${id} to ${sink} has become another one`);
      members.set(alert.id, { id, transition: claim.transition, at: claim.at, state: claim.state ?? 'firing' });
    }
  }

  /** The first copy of something. */
  function hear(sink: string, notification: string, subjects: ReadonlySet<string>): void {
    for (const alert of subjects) {
      const claim = promised.get(`${sink} ${notification}`)?.get(alert);
      if (claim === undefined) {
        violated(`${notification} tells ${sink} of ${alert}, and that is not on record`);
        continue;
      }
      const before = told.get(`${sink} ${alert}`);
      if (before?.transition === claim.transition) violated(`${notification} tells ${sink} of transition ${claim.transition} of ${alert}, and so did ${before.notification}`);
      if (before !== undefined && before.transition > claim.transition) violated(`${notification} tells ${sink} of transition ${claim.transition} of ${alert} after ${before.transition}`);
      told.set(`${sink} ${alert}`, { ...claim, notification });
      const place = `${sink} ${claim.id}`;
      if ((lastClaims.get(place) ?? '') > claim.at) violated(`${notification} tells ${sink} of ${claim.id} what was claimed before something that it has heard already`);
      lastClaims.set(place, claim.at);
    }
  }

  /** The network doubled it, its sender led no more, or its sender never heard that it had come: each explains one copy. */
  function isExcused({ attempt, epoch, isAnswered }: Copies, again: { readonly attempt: Attempt; readonly epoch: number }): boolean {
    return attempt === again.attempt || epoch !== again.epoch || !isAnswered;
  }

  function isUntold(alert: Alert): boolean {
    return destinationsOf(alert).some((sink) => told.get(`${sink} ${alert.id}`)?.transition !== alert.transition);
  }

  function destinationsOf({ rule }: Alert): readonly string[] {
    return rules.find(({ name }) => name === rule)?.destinations ?? [];
  }

  return {
    written(id, { alerts }) {
      const byId = new Map(alerts.map((alert) => [alert.id, alert]));
      if (byId.size < alerts.length) violated(`${id} has two alerts of the same id`);
      const firing = alerts.filter(({ resolvedAt }) => resolvedAt === null).map(({ rule }) => rule);
      if (new Set(firing).size < firing.length) violated(`${id} has two alerts of one rule that fire`);
      for (const alert of alerts) promise(id, alert);
      for (const before of recorded.get(id) ?? []) checkLeft(id, before, byId.get(before.id));
      recorded.set(id, alerts);
    },
    gone: (id) => void recorded.delete(id),
    sent({ sink, notification: { id, subjects }, epoch }) {
      const key = `${sink} ${id}`;
      if (!promised.has(key)) violated(`${id} is sent to ${sink}, and is not on record`);
      const alerts = new Set(subjects.map(({ alert }) => alert.id));
      const attempt: Attempt = {
        arrived() {
          const before = received.get(key);
          if (before === undefined) {
            received.set(key, { subjects: alerts, attempt, epoch, isAnswered: false });
            hear(sink, id, alerts);
            return;
          }
          if (!isExcused(before, { attempt, epoch })) violated(`${id} comes to ${sink} once more, and nothing had gone wrong`);
          if (!alerts.isSubsetOf(before.subjects)) violated(`${id} tells ${sink} of other alerts than its first copy`);
          Object.assign(before, { attempt, epoch, isAnswered: false });
        },
        answered() {
          const copies = received.get(key);
          if (copies?.attempt === attempt) copies.isAnswered = true;
        },
      };
      return attempt;
    },
    owed: (id, alerts, since) =>
      alerts.flatMap((alert) =>
        destinationsOf(alert).flatMap((sink) => {
          if (network.isDown(sink as Sending['sink']) || Date.parse(alert.transitionAt) > since) return [];
          const { claim } = alert.deliveries[sink] ?? {};
          if (claim !== undefined) return [`${claim.notification} of ${id} is claimed for ${sink} since ${claim.at}`];
          const last = told.get(`${sink} ${alert.id}`);
          const state = alert.resolvedAt === null ? 'firing' : 'resolved';
          return last?.transition === alert.transition && last.state === state ? [] : [`${sink} was not told of transition ${alert.transition} (${state}) of ${alert.rule} ${alert.id} of ${id}`];
        }),
      ),
  };
}
