import type { Notification, NotificationType } from '../model/index.ts';

const look = 'setpoint status APP';
const plan = 'setpoint diff APP --plan';
const sync = 'setpoint sync APP';
const history = 'setpoint history APP';

const steps: Readonly<Record<NotificationType, readonly string[]>> = {
  'drift.firing': [plan, sync],
  'drift.changed': [plan, sync],
  'drift.repeated': [plan, sync],
  'drift.resolved': [history],
  'drift.healed': [history],
  'sync.succeeded': [],
  'sync.failed': [look, plan],
  'agent.blind': [look, 'setpoint doctor'],
  'agent.recovered': [],
  test: [],
};

// Anything else could mean something to the shell into which it is pasted.
const safeName = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Commands to paste: what to look at and what to do about it. */
export function nextSteps({ type, subjects, truncatedSubjects }: Notification): readonly string[] {
  const [first] = subjects;
  if (first === undefined || subjects.length + truncatedSubjects > 1) return type.startsWith('drift.') || type === 'agent.blind' ? ['setpoint status -A'] : [];
  const { name, namespace } = first.application;
  if (!safeName.test(name) || (namespace !== null && !safeName.test(namespace))) return [];
  const app = namespace === null ? name : `${name} -n ${namespace}`;
  return steps[type].map((step) => step.replace('APP', app));
}
