import type { KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { conditionOf, conditionText, conditionWith } from '../conditions.ts';
import { messageText } from '../message-text.ts';

export function apiServiceHealth(service: KubeObject): Assessment {
  const available = conditionOf(service, 'Available');
  if (available?.['status'] === 'True') return { status: 'Healthy' };
  return { status: 'Progressing', message: available === undefined ? 'nobody has asked it yet' : messageText(conditionText(available), 400) };
}

export function definitionHealth(definition: KubeObject): Assessment {
  const refused = conditionWith(definition, 'NamesAccepted', 'False');
  if (refused !== undefined) return { status: 'Degraded', message: `its names are not accepted: ${messageText(conditionText(refused), 400)}` };
  const loose = conditionWith(definition, 'NonStructuralSchema', 'True');
  if (loose !== undefined) return { status: 'Degraded', message: `its schema is refused: ${messageText(conditionText(loose), 400)}` };
  if (conditionWith(definition, 'Established', 'True') !== undefined) return { status: 'Healthy' };
  return { status: 'Progressing', message: 'is not served yet' };
}
