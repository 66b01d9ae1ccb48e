import type { KubeObject } from '../model/index.ts';
import { conditionOf, conditionWith } from './conditions.ts';
import { containerTrouble, type Trouble } from './container-trouble.ts';
import { messageText } from './message-text.ts';
import { objectsAt, textAt } from './read-object.ts';

const order: Readonly<Record<Trouble['type'], number>> = { stuck: 0, failing: 1, waiting: 2 };

export interface PodTrouble extends Trouble {
  /** When the pod in question was made. */
  readonly since?: string | undefined;
}

/** The reason a person needs for pods that are not as they should be: the worst one of the newest pod that has it. */
export function podTrouble(pods: readonly KubeObject[]): PodTrouble | undefined {
  const found = pods
    .filter(({ metadata }) => metadata['deletionTimestamp'] === undefined)
    .flatMap((pod) => {
      const trouble = troubleOf(pod);
      return trouble === undefined ? [] : [{ ...trouble, pod: pod.metadata.name, since: textAt(pod, 'metadata.creationTimestamp') }];
    })
    .toSorted((a, b) => order[a.type] - order[b.type] || (b.since ?? '').localeCompare(a.since ?? '') || a.pod.localeCompare(b.pod));
  const [worst] = found;
  if (worst === undefined) return undefined;
  const others = found.filter(({ type }) => type === worst.type).length - 1;
  const more = others === 0 ? '' : ` (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
  const { type, since } = worst;
  const text = `pod ${worst.pod}${more}: ${worst.text}`;
  return worst.lasting === true ? { type, text, since, lasting: true } : { type, text, since };
}

/** What is wrong with one pod; undefined where nothing is, or nothing can be seen. */
export function troubleOf(pod: KubeObject): Trouble | undefined {
  const phase = textAt(pod, 'status.phase');
  if (phase === 'Succeeded') return undefined;
  const scheduled = conditionWith(pod, 'PodScheduled', 'False');
  if (scheduled !== undefined) return notScheduled(textAt(scheduled, 'reason') ?? '', messageText(textAt(scheduled, 'message') ?? '', 350));
  const troubles = containerTroubles(pod);
  const failure = textAt(pod, 'status.reason');
  if (phase === 'Failed' && (failure !== undefined || troubles.length === 0)) {
    const message = messageText(textAt(pod, 'status.message') ?? '', 300);
    return { type: 'failing', text: ['failed', failure ?? '', message].filter((part) => part !== '').join(': ') };
  }
  const [worst] = troubles.toSorted((a, b) => order[a.type] - order[b.type]);
  return worst ?? gateTrouble(pod);
}

function containerTroubles(pod: KubeObject): readonly Trouble[] {
  const init = objectsAt(pod, 'status.initContainerStatuses').map((status) => containerTrouble(status, 'init container', pod));
  const main = objectsAt(pod, 'status.containerStatuses').map((status) => containerTrouble(status, 'container', pod));
  return [...init, ...main].filter((trouble) => trouble !== undefined);
}

function notScheduled(reason: string, message: string): Trouble {
  if (reason === 'SchedulingGated') return { type: 'waiting', text: 'a scheduling gate holds it' };
  return { type: 'stuck', text: `no node takes it: ${message === '' ? reason : message}` };
}

/** All containers are ready and the pod is not: something outside has its say. */
function gateTrouble(pod: KubeObject): Trouble | undefined {
  const ready = conditionWith(pod, 'Ready', 'False');
  if (textAt(ready, 'reason') !== 'ReadinessGatesNotReady') return undefined;
  const gates = objectsAt(pod, 'spec.readinessGates').map((gate) => textAt(gate, 'conditionType') ?? '');
  const closed = gates.filter((gate) => conditionOf(pod, gate)?.['status'] !== 'True');
  return { type: 'waiting', text: `readiness gate ${messageText(closed.join(', '), 200)} is not open` };
}
