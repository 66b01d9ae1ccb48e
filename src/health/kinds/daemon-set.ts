import type { KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { notYetObserved } from '../observed.ts';
import { numberAt, textAt } from '../read-object.ts';

export function daemonSetHealth(set: KubeObject): Assessment {
  const unseen = notYetObserved(set);
  if (unseen !== undefined) return unseen;
  const [wanted = 0, updated = 0, available = 0] = ['desiredNumberScheduled', 'updatedNumberScheduled', 'numberAvailable'].map((field) =>
    numberAt(set, `status.${field}`),
  );
  const onDelete = textAt(set, 'spec.updateStrategy.type') === 'OnDelete';
  if (updated < wanted && !onDelete) return { status: 'Progressing', message: `${updated} of ${wanted} pods have the new template` };
  if (available < wanted) return { status: 'Progressing', message: `${available} of ${wanted} pods are available` };
  if (updated >= wanted) return { status: 'Healthy' };
  return { status: 'Healthy', message: `${wanted - updated} of ${wanted} pods keep the old template until they are deleted (OnDelete)` };
}
