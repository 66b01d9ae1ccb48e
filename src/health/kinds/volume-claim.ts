import { entriesOf, valueAt, type KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { messageText } from '../message-text.ts';
import { childText, textAt } from '../read-object.ts';

const provisionerKeys = ['volume.kubernetes.io/storage-provisioner', 'volume.beta.kubernetes.io/storage-provisioner'];

export function volumeClaimHealth(claim: KubeObject): Assessment {
  const phase = textAt(claim, 'status.phase');
  if (phase === 'Lost') return { status: 'Degraded', message: 'the volume it was bound to is gone' };
  if (phase === 'Bound') return boundHealth(claim);
  const provisioner = provisionerKeys.map((key) => childText(valueAt(claim, ['metadata', 'annotations']), key)).find((name) => name !== undefined);
  if (provisioner !== undefined) return { status: 'Progressing', message: `provisioner ${messageText(provisioner, 100)} has made no volume yet` };
  const volume = textAt(claim, 'spec.volumeName');
  if (volume !== undefined) return { status: 'Progressing', message: `is not bound to volume ${messageText(volume, 253)} yet` };
  // Nobody was asked for a volume: with WaitForFirstConsumer that is how it should be, and it may be so for ever.
  return { status: 'Suspended', message: 'not bound: waits for the first pod that uses it, or for a volume or storage class that fits' };
}

function boundHealth(claim: KubeObject): Assessment {
  const resizes = entriesOf(valueAt(claim, ['status', 'allocatedResourceStatuses'])).map(([, status]) => status);
  const infeasible = resizes.find((status) => status === 'ControllerResizeInfeasible' || status === 'NodeResizeInfeasible');
  return infeasible === undefined ? { status: 'Healthy' } : { status: 'Degraded', message: `its volume cannot get the wanted size (${infeasible})` };
}
