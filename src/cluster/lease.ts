import { childOf, fieldManager, parseJson, SetpointError, stringifyJson, valueAt, type Json } from '../model/index.ts';
import { refusal, statusBody } from './refusal.ts';
import type { ApiAnswer, ApiRequest } from './transport.ts';

interface LeaseClaim {
  /** Empty: nobody. */
  readonly holder: string;
  readonly transitions: number;
  readonly durationSeconds: number;
  readonly renewTime: string;
  readonly acquireTime: string;
}

interface LeaseRecord extends LeaseClaim {
  /** The resourceVersion. */
  readonly version: string;
  /** What its holder has to say to readers. */
  readonly says?: string;
}

type Written = { readonly type: 'written'; readonly record: LeaseRecord } | { readonly type: 'conflict' };

/** One Lease (coordination.k8s.io/v1), there or not. */
export interface Lease {
  read(signal: AbortSignal): Promise<LeaseRecord | undefined>;
  create(claim: LeaseClaim, signal: AbortSignal): Promise<Written>;
  update(record: LeaseClaim & Pick<LeaseRecord, 'version'>, signal: AbortSignal): Promise<Written>;
}

export interface LeasePlace {
  readonly namespace: string;
  readonly name: string;
  /** Asked with every write. */
  readonly says?: () => string;
}

const saysAnnotation = 'setpoint.dev/vouches-for';

/** Of a transport, what makes objects as well. */
export interface CreatingTransport {
  send(request: Omit<ApiRequest, 'method'> & { readonly method: ApiRequest['method'] | 'POST' }): Promise<ApiAnswer>;
}

export function createLease(transport: CreatingTransport, { namespace, name, says }: LeasePlace): Lease {
  const collection = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
  const path = `${collection}/${encodeURIComponent(name)}`;
  const said = () => (says === undefined ? {} : { annotations: { [saysAnnotation]: says() } });
  const refused = (answer: ApiAnswer, verb: string): SetpointError => refusal(answer, `${verb} leases.coordination.k8s.io in namespace ${namespace}`);
  const isAbsent = (answer: ApiAnswer): boolean => {
    const status = statusBody(answer);
    return answer.status === 404 && status?.reason === 'NotFound' && status.details['name'] === name && status.details['kind'] === 'leases';
  };
  return {
    async read(signal) {
      const answer = await transport.send({ method: 'GET', path, signal });
      if (isAbsent(answer)) return undefined;
      if (answer.status !== 200) throw refused(answer, 'get');
      return recordOf(answer);
    },
    async create(claim, signal) {
      const body = stringifyJson({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace, ...said() }, spec: specOf(claim) });
      const answer = await transport.send({ method: 'POST', path: collection, query: { fieldManager }, contentType: 'application/json', body, signal });
      if (answer.status === 409) return { type: 'conflict' };
      if (answer.status !== 201) throw refused(answer, 'create');
      return { type: 'written', record: recordOf(answer) };
    },
    async update({ version, ...claim }, signal) {
      // A patch leaves alone what newer versions and other people keep in the lease; the version in it makes the server refuse a stale one.
      const body = stringifyJson({ metadata: { resourceVersion: version, ...said() }, spec: specOf(claim) });
      const answer = await transport.send({ method: 'PATCH', path, query: { fieldManager }, contentType: 'application/merge-patch+json', body, signal });
      if (answer.status === 409 || isAbsent(answer)) return { type: 'conflict' };
      if (answer.status !== 200) throw refused(answer, 'patch');
      return { type: 'written', record: recordOf(answer) };
    },
  };
}

function specOf({ holder, transitions, durationSeconds, renewTime, acquireTime }: LeaseClaim) {
  return {
    holderIdentity: holder,
    leaseTransitions: transitions,
    leaseDurationSeconds: durationSeconds,
    ...(renewTime === '' ? {} : { renewTime: microTime(renewTime) }),
    ...(acquireTime === '' ? {} : { acquireTime: microTime(acquireTime) }),
  };
}

function recordOf({ text: body }: ApiAnswer): LeaseRecord {
  const object = parseJson(body);
  const version = valueAt(object, ['metadata', 'resourceVersion']);
  if (typeof version !== 'string') throw new SetpointError('ClusterError', 'the cluster answered with a Lease that has no resourceVersion');
  const says = valueAt(object, ['metadata', 'annotations', saysAnnotation]);
  const spec = childOf(object, 'spec');
  return {
    holder: text(childOf(spec, 'holderIdentity')),
    transitions: number(childOf(spec, 'leaseTransitions')),
    durationSeconds: number(childOf(spec, 'leaseDurationSeconds')),
    renewTime: text(childOf(spec, 'renewTime')),
    acquireTime: text(childOf(spec, 'acquireTime')),
    version,
    ...(typeof says === 'string' && { says }),
  };
}

/** The server takes no time with fewer digits: `2026-01-31T09:30:00.000000Z`. */
export function microTime(time: string): string {
  return new Date(time).toISOString().replace(/Z$/, '000Z');
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
