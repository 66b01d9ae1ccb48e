import { displayKey, isSecretKind, type FieldKeys, type Refusal } from '../model/index.ts';
import type { Target } from './cluster.ts';
import { refusal, statusBody, type StatusBody } from './refusal.ts';
import type { ApiAnswer } from './transport.ts';

/** A field that another manager holds at another value. */
export interface Conflict {
  readonly field: string;
  readonly manager: string;
}

export function conflictsOf(answer: ApiAnswer): readonly Conflict[] {
  if (answer.status !== 409) return [];
  const causes = statusBody(answer)?.causes ?? [];
  return causes
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field, message }) => ({ field, manager: /conflict with "([^"]+)"/.exec(message)?.[1] ?? message }));
}

type ReadTrouble = Extract<Refusal, { type: 'unknown' }>;

/** Absence is said by the API server about this very object; any other 404 is a failure to read. */
export function readRefusal(answer: ApiAnswer, target: Target): { readonly type: 'absent' } | ReadTrouble {
  const status = statusBody(answer);
  if (answer.status === 404 && isOf(target, status)) return { type: 'absent' };
  return commonRefusal(answer, target, 'get');
}

function isOf({ manifest }: Target, status: StatusBody | undefined): boolean {
  return status?.reason === 'NotFound' && status.details['name'] === manifest.object.metadata.name;
}

function tooLarge(message: string): Refusal {
  return { type: 'invalid', message: `it is too large for the cluster to store: ${message}` };
}

/** What was asked for; `try`: a dry run of an apply. */
export type WriteVerb = 'patch' | 'create' | 'update' | 'delete';
type Verb = WriteVerb | 'try';

/** Why a write, tried or real, was refused. By status and reason; by text only where the server gives nothing better. */
export function applyRefusal(answer: ApiAnswer, target: Target, verb: Verb = 'try'): Refusal {
  const status = statusBody(answer);
  const message = explain(answer, target);
  // A webhook chooses its own status code, and a policy answers 422.
  if (status !== undefined && /admission webhook .* denied the request|ValidatingAdmissionPolicy .* denied request/s.test(status.message)) {
    return { type: 'denied', message };
  }
  switch (answer.status) {
    case 400:
      // Only webhooks registered with the API of before 1.16 can answer so; the object itself may be fine.
      if (status?.message.includes('does not support dry run') === true) return unconfirmed('object', message);
      return { type: 'invalid', message };
    case 403:
      return forbidden(answer, target, { verb, message });
    case 404:
      if (status?.details['kind'] === 'namespaces') return { type: 'invalid', message };
      if (isOf(target, status)) return { type: 'unknown', code: 'ObjectUnsettled', message };
      return commonRefusal(answer, target, verb);
    case 405:
    case 415:
      return unconfirmed('kind', `the server cannot apply ${target.kind.resource} server-side`);
    case 409:
      // An object of that name that is on its way out.
      if (status?.message.startsWith('object is being deleted') === true) return { type: 'terminating', message };
      return { type: 'unknown', code: 'ObjectUnsettled', message };
    case 413:
      return tooLarge(message);
    case 422:
      return status !== undefined && isImmutable(status) ? { type: 'replace', message } : { type: 'invalid', message, fields: fieldsNamed(status) };
    case 500:
      if (status?.message.includes('etcdserver: request is too large') === true) return tooLarge(message);
      return status !== undefined && isManifestMistake(status) ? { type: 'invalid', message } : unknown(message);
    default:
      return commonRefusal(answer, target, verb);
  }
}

/** Four parts of the server answer 403: the namespace's life cycle, RBAC for the request, RBAC for what it grants, and admission. */
function forbidden(answer: ApiAnswer, target: Target, { verb, message }: { readonly verb: Verb; readonly message: string }): Refusal {
  const status = statusBody(answer);
  const text = status?.message ?? '';
  if (status?.causes.some(({ reason }) => reason === 'NamespaceTerminating') === true) return { type: 'terminating', message };
  // An apply of what is not there yet needs the right to create as well.
  const wanting = /\bcannot (patch|create|update|delete) resource\b/.exec(text)?.[1];
  // What is only tried needs no more than the right to patch, or is not there yet: then its creation is what is denied.
  if (wanting !== undefined && (verb !== 'try' || wanting === 'patch')) {
    return mayNot(target, wanting === 'patch' ? verb : wanting);
  }
  if (text.includes('attempting to grant RBAC permissions not currently held')) {
    const why = 'the role grants rights that we do not have: the right to escalate or bind is wanting';
    return { type: 'unconfirmed', scope: 'object', code: 'Forbidden', message: why };
  }
  return status === undefined ? commonRefusal(answer, target, verb) : { type: 'denied', message };
}

// How the server words a change that it never makes in place, kind by kind; the wording changes between releases.
const immutable = [
  /\bimmutable\b/i,
  /updates to statefulset spec for fields other than/,
  /pod updates may not change fields other than/,
  /cannot change roleRef/,
  /updates to (?:parameters|provisioner|\w+) are forbidden/,
  /may not be changed/,
  /may not change once set/,
];

function isImmutable({ causes, message }: StatusBody): boolean {
  const texts = causes.length === 0 ? [message] : causes.map((cause) => cause.message);
  return texts.some((text) => immutable.some((pattern) => pattern.test(text)));
}

/** A mistake in the manifest that the server reports as its own: an unknown field, a duplicate list key, a value that its type cannot hold. */
function isManifestMistake({ message }: StatusBody): boolean {
  return message.includes('failed to create typed patch object') || message.includes('unable to convert unstructured object to');
}

function commonRefusal(answer: ApiAnswer, target: Target, verb: string): ReadTrouble {
  const { kind, manifest } = target;
  if (answer.status === 401) throw refusal(answer, `${verb === 'try' ? 'patch' : verb} ${displayKey(manifest.key)}`);
  if (answer.status === 403) return { type: 'unknown', code: 'Forbidden', message: `not allowed to ${permission(target, verb)}` };
  if (answer.status === 404 && statusBody(answer) !== undefined) {
    const message = `the cluster no longer serves ${kind.resource} in ${manifest.object.apiVersion}`;
    return { type: 'unknown', code: 'KindNotServed', message };
  }
  return unknown(explain(answer, target));
}

/** The answer to a dry run that the right is missing for. */
export function mayNotTry(target: Target): Refusal {
  return mayNot(target, 'try');
}

function mayNot(target: Target, verb: string): Refusal {
  return { type: 'unconfirmed', scope: 'kind', code: 'Forbidden', message: `not allowed to ${permission(target, verb)}` };
}

function permission({ kind, manifest }: Target, verb: string): string {
  const resource = kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`;
  const { namespace } = manifest.object.metadata;
  const where = kind.namespaced && namespace !== undefined ? ` in namespace ${namespace}` : '';
  const why = verb === 'try' ? ' (the comparison is a dry run, which needs the right to patch)' : '';
  return `${verb === 'try' ? 'patch' : verb} ${resource}${where}${why}: ask for that right`;
}

function unknown(message: string): ReadTrouble {
  return { type: 'unknown', code: 'ClusterError', message };
}

function unconfirmed(scope: 'object' | 'kind', message: string): Refusal {
  return { type: 'unconfirmed', scope, code: 'ClusterError', message };
}

/** The server quotes values in its errors, so of a Secret only the reason and the fields are passed on. */
function explain(answer: ApiAnswer, { kind }: Target): string {
  const status = statusBody(answer);
  if (status === undefined) return `the cluster answered ${answer.status}`;
  if (isSecretKind(kind)) return `${status.reason || answer.status}${fieldsOf(status)}${quotaOf(status)}`;
  return status.message;
}

function fieldsNamed(status: StatusBody | undefined): readonly FieldKeys[] {
  return status?.causes.flatMap(({ field }) => (/^[\w-]+(?:\.[\w-]+)*$/.test(field) ? [field.split('.')] : [])) ?? [];
}

function fieldsOf({ causes }: StatusBody): string {
  const fields = causes.map(({ field }) => field).filter((field) => field !== '');
  return fields.length === 0 ? '' : `: ${fields.join(', ')}`;
}

function quotaOf({ message }: StatusBody): string {
  return message.includes('exceeded quota: ') ? ': a quota of the namespace is exceeded' : '';
}
