import type { KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { notYetObserved } from '../observed.ts';
import { numberAt, textAt } from '../read-object.ts';

export function statefulSetHealth(set: KubeObject): Assessment {
  const unseen = notYetObserved(set);
  if (unseen !== undefined) return unseen;
  const wanted = numberAt(set, 'spec.replicas') ?? 1;
  const hasToStay = (numberAt(set, 'spec.minReadySeconds') ?? 0) > 0;
  const up = numberAt(set, `status.${hasToStay ? 'availableReplicas' : 'readyReplicas'}`) ?? 0;
  if (up < wanted) return { status: 'Progressing', message: `${up} of ${wanted} pods are ${hasToStay ? 'available' : 'ready'}` };
  if ((numberAt(set, 'status.replicas') ?? 0) > wanted) return { status: 'Progressing', message: 'pods above the wanted number are still to go' };
  return rollOut(set, wanted);
}

/** All pods are up: which of them are to have the new template, and which have it? */
function rollOut(set: KubeObject, wanted: number): Assessment {
  const [current, update] = [textAt(set, 'status.currentRevision'), textAt(set, 'status.updateRevision')];
  if (current === update) return { status: 'Healthy' };
  const updated = numberAt(set, 'status.updatedReplicas') ?? 0;
  if (textAt(set, 'spec.updateStrategy.type') === 'OnDelete') {
    // This controller never moves currentRevision on.
    if (updated >= wanted) return { status: 'Healthy' };
    return { status: 'Healthy', message: `${wanted - updated} of ${wanted} pods keep the old template until they are deleted (OnDelete)` };
  }
  const partition = numberAt(set, 'spec.updateStrategy.rollingUpdate.partition') ?? 0;
  const due = Math.max(0, wanted - partition);
  if (updated < due || partition === 0) return { status: 'Progressing', message: `${updated} of ${due} pods have the new template` };
  return { status: 'Healthy', message: `${wanted - due} of ${wanted} pods keep the old template (partition ${partition})` };
}
