import type { Notification, Severity } from '../model/index.ts';
import { linesOf } from './message-lines.ts';
import { nextSteps } from './message-next.ts';
import { summaryOf, titleOf } from './message-title.ts';

/** A notification in words: bounded, on lines without control characters, with no markup of any service. */
export interface Message {
  /** At most 200 characters. */
  readonly title: string;
  /** Where, which rule, how severe, since when; at most 300 characters. */
  readonly summary: string;
  /** At most 40, of at most 500 characters each. */
  readonly lines: readonly string[];
  /** Commands that go on from here, at most 3. */
  readonly next: readonly string[];
  readonly severity: Severity;
  readonly isResolved: boolean;
}

const over: ReadonlySet<Notification['type']> = new Set(['drift.resolved', 'drift.healed', 'agent.recovered', 'sync.succeeded']);

/** Whether it tells that something is over and not that something is wrong. */
export function isResolved({ type }: Notification): boolean {
  return over.has(type);
}

export function messageOf(notification: Notification): Message {
  return {
    title: titleOf(notification),
    summary: summaryOf(notification),
    lines: linesOf(notification),
    next: nextSteps(notification),
    severity: notification.rule.severity,
    isResolved: isResolved(notification),
  };
}
