import type { KubeObject } from '../../model/index.ts';
import { isList, valueAt } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { messageText } from '../message-text.ts';
import { objectsAt, textAt } from '../read-object.ts';

export function serviceHealth(service: KubeObject): Assessment {
  if (textAt(service, 'spec.type') !== 'LoadBalancer') return { status: 'Healthy' };
  const failed = objectsAt(service, 'status.loadBalancer.ingress')
    .flatMap((ingress) => objectsAt(ingress, 'ports'))
    .map((port) => textAt(port, 'error'))
    .find((error) => error !== undefined);
  if (failed !== undefined) return { status: 'Degraded', message: `its load balancer refuses a port: ${messageText(failed, 300)}` };
  if (hasAddress(service)) return { status: 'Healthy' };
  const external = valueAt(service, ['spec', 'externalIPs']);
  if (isList(external) && external.length > 0) return { status: 'Healthy' };
  const by = textAt(service, 'spec.loadBalancerClass');
  const who = by === undefined ? 'no load balancer' : `no load balancer of class ${messageText(by, 100)}`;
  return { status: 'Progressing', message: `${who} has given it an address` };
}

/** Many controllers never write an address into an Ingress that they serve: that there is none says nothing. */
export function ingressHealth(ingress: KubeObject): Assessment {
  return hasAddress(ingress) ? { status: 'Healthy' } : { status: 'Healthy', message: 'no controller has written an address' };
}

function hasAddress(object: KubeObject): boolean {
  const given = objectsAt(object, 'status.loadBalancer.ingress');
  return given.some((ingress) => textAt(ingress, 'ip') !== undefined || textAt(ingress, 'hostname') !== undefined);
}
