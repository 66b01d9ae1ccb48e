import { isOfDelivery } from '../alert/index.ts';
import { isPaused, retryOf, wholeSeconds, type Application, type Condition, type Health, type Verdict } from '../model/index.ts';
import type { Trouble } from './ports.ts';

export interface Situation {
  readonly application: Pick<Application, 'generation' | 'policy' | 'pause' | 'warnings'>;
  readonly verdict: Verdict;
  /** Of the whole application; null where nothing is known of it. */
  readonly health: Health | null;
  /** Why Git could not be asked, where it could not. */
  readonly trouble: Trouble | undefined;
  /** What autoscalers have chosen otherwise than Git, one sentence each. */
  readonly autoscaled?: readonly string[];
  readonly now: Date;
}

type Said = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

const longestMessage = 1024;

/** The conditions after a look. One whose status stays keeps its time, whatever else is said. */
export function conditionsAfter(before: readonly Condition[], situation: Situation): readonly Condition[] {
  const { generation } = situation.application;
  const after = saidOf(situation).map((said) => {
    const earlier = before.find(({ type, status }) => type === said.type && status === said.status);
    return {
      ...said,
      message: said.message.slice(0, longestMessage),
      lastTransitionTime: earlier?.lastTransitionTime ?? wholeSeconds(situation.now),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
  });
  return [...after, ...before.filter(isOfDelivery)];
}

/** `Synced`, `Healthy`, `Reconciling` and `Stalled` are always there; the others only while they are true. */
function saidOf({ application, verdict, health, trouble, autoscaled = [], now }: Situation): readonly Said[] {
  const { pause, warnings } = application;
  return [
    synced(verdict),
    healthy(health),
    reconciling(application, verdict, now),
    stalled(verdict),
    ...(trouble === undefined ? [] : [{ type: 'SourceStale', status: 'True' as const, reason: trouble.code, message: `since ${new Date(trouble.since).toISOString()}: ${trouble.message}` }]),
    ...(warnings.length === 0 ? [] : [{ type: 'NotSupported', status: 'True' as const, reason: 'FieldsWithoutEffect', message: warnings.join('; ') }]),
    ...(autoscaled.length === 0 ? [] : [{ type: 'Autoscaled', status: 'True' as const, reason: 'WithinLimits', message: autoscaled.join('; ') }]),
    ...(isPaused(pause, now) ? [{ type: 'Paused', status: 'True' as const, reason: 'Requested', message: [pause?.reason ?? 'no reason given', ...(pause?.until === undefined ? [] : [`until ${pause.until}`])].join(', ') }] : []),
  ];
}

const reasons = { 'git-ahead': 'GitAhead', 'live-changed': 'LiveChanged', both: 'Both' } as const;

function synced(verdict: Verdict): Said {
  switch (verdict.status) {
    case 'Synced':
      return { type: 'Synced', status: 'True', reason: 'InSync', message: '' };
    case 'OutOfSync':
      return { type: 'Synced', status: 'False', reason: reasons[verdict.cause], message: '' };
    case 'Unknown':
      return { type: 'Synced', status: 'Unknown', reason: verdict.code, message: verdict.message };
  }
}

function healthy(health: Health | null): Said {
  if (health === null || health.status === 'Unknown') return { type: 'Healthy', status: 'Unknown', reason: 'Unknown', message: health?.message ?? '' };
  const { status, message = '' } = health;
  return { type: 'Healthy', status: status === 'Healthy' || status === 'Suspended' ? 'True' : 'False', reason: status, message };
}

function reconciling({ policy, pause }: Situation['application'], verdict: Verdict, now: Date): Said {
  const acts =
    verdict.status === 'OutOfSync' && !isPaused(pause, now) && ((policy.deploy === 'automatic' && verdict.cause !== 'live-changed') || (policy.drift === 'Heal' && verdict.cause !== 'git-ahead'));
  return acts ? { type: 'Reconciling', status: 'True', reason: 'Syncing', message: '' } : { type: 'Reconciling', status: 'False', reason: 'Idle', message: '' };
}

/** It will not get better by itself. */
function stalled(verdict: Verdict): Said {
  if (verdict.status === 'Unknown' && retryOf(verdict.code) === 'changed') return { type: 'Stalled', status: 'True', reason: verdict.code, message: verdict.message };
  return { type: 'Stalled', status: 'False', reason: 'Progressing', message: '' };
}
