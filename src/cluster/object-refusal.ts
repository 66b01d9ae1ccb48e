import { displayKey, isSecretKind } from '../model/index.ts';
import type { Target, Trouble } from './cluster.ts';
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

/** Absence is said by the API server about this very object; any other 404 is a failure to read. */
export function readRefusal(answer: ApiAnswer, target: Target): { readonly type: 'absent' } | Trouble {
  const status = statusBody(answer);
  if (answer.status === 404 && status?.reason === 'NotFound' && status.details['name'] === target.manifest.object.metadata.name) {
    return { type: 'absent' };
  }
  return commonRefusal(answer, target, 'get');
}

/** Why an apply, tried or real, was refused. By status and reason; by text only where the server gives nothing better. */
export function applyRefusal(answer: ApiAnswer, target: Target): Trouble {
  const status = statusBody(answer);
  const message = explain(answer, target);
  const invalid: Trouble = { type: 'invalid', message };
  switch (answer.status) {
    case 400:
      return status?.message.includes('does not support dry run') === true ? unknown(message) : invalid;
    case 403:
      // Admission answers 403 too; only RBAC says what the user cannot do.
      if (status?.causes.some(({ reason }) => reason === 'NamespaceTerminating') === true) return unknown(message);
      return status?.message.includes('cannot patch resource') === false ? invalid : commonRefusal(answer, target, 'patch');
    case 404:
      return status?.details['kind'] === 'namespaces' ? invalid : commonRefusal(answer, target, 'patch');
    case 405:
    case 415:
      return unknown(`the server cannot apply ${target.kind.resource} server-side, so it cannot tell the difference`);
    case 422:
      return invalid;
    case 500:
      // A mistake in the manifest that the server reports as its own: an unknown field, a duplicate list key, a wrong type.
      return status?.message.includes('failed to create typed patch object') === true ? invalid : unknown(message);
    default:
      return commonRefusal(answer, target, 'patch');
  }
}

function commonRefusal(answer: ApiAnswer, target: Target, verb: string): Trouble {
  const { kind, manifest } = target;
  if (answer.status === 401) throw refusal(answer, `${verb} ${displayKey(manifest.key)}`);
  if (answer.status === 403) return { type: 'unknown', code: 'Forbidden', message: `not allowed to ${permission(target, verb)}` };
  if (answer.status === 404 && statusBody(answer) !== undefined) {
    const message = `the cluster no longer serves ${kind.resource} in ${manifest.object.apiVersion}`;
    return { type: 'unknown', code: 'KindNotServed', message };
  }
  return unknown(explain(answer, target));
}

function permission({ kind, manifest }: Target, verb: string): string {
  const resource = kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`;
  const { namespace } = manifest.object.metadata;
  const where = kind.namespaced && namespace !== undefined ? ` in namespace ${namespace}` : '';
  const why = verb === 'patch' ? ' (the comparison is a dry run, which needs the right to patch)' : '';
  return `${verb} ${resource}${where}${why}: ask for that right`;
}

function unknown(message: string): Trouble {
  return { type: 'unknown', code: 'ClusterError', message };
}

/** The server quotes values in its errors, so of a Secret only the reason and the fields are passed on. */
function explain(answer: ApiAnswer, { kind }: Target): string {
  const status = statusBody(answer);
  if (status === undefined) return `the cluster answered ${answer.status}`;
  if (isSecretKind(kind)) return `${status.reason || answer.status}${fieldsOf(status)}`;
  return status.message;
}

function fieldsOf({ causes }: StatusBody): string {
  const fields = causes.map(({ field }) => field).filter((field) => field !== '');
  return fields.length === 0 ? '' : `: ${fields.join(', ')}`;
}
