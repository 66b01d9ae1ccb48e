import { childOf, fieldManager, isObject, parseJson, parseJsonOrUndefined, SetpointError, silenceIn, stringifyJson, valueAt, type Json, type JsonObject, type Silence } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';
import type { CreatingTransport } from './lease.ts';
import { refusal, statusBody } from './refusal.ts';
import type { ApiAnswer } from './transport.ts';

export interface SilencesOptions {
  /** Of the agent. */
  readonly namespace: string;
  readonly log: Pick<Log, 'warn'>;
  readonly now: () => Date;
}

/** What keeps alerts of an agent quiet: a ConfigMap, with a key for each silence. */
export interface Silences {
  /** Those that are over, and not removed yet, too. */
  read(signal: AbortSignal): Promise<readonly Silence[]>;
  /** Removes those that are over. */
  add(silence: Silence, signal: AbortSignal): Promise<void>;
  /** One that is not there has ended already. */
  end(id: string, signal: AbortSignal): Promise<void>;
}

const name = 'setpoint-silences';
// A ConfigMap holds a mebibyte, and nobody keeps more than that in mind.
const most = 500;

export function createSilences(transport: CreatingTransport, { namespace, log, now }: SilencesOptions): Silences {
  const collection = `/api/v1/namespaces/${encodeURIComponent(namespace)}/configmaps`;
  const path = `${collection}/${name}`;
  const refused = (answer: ApiAnswer, verb: string): SetpointError => refusal(answer, `${verb} configmap ${name} in namespace ${namespace}`);

  /** What there is, by key; undefined where there is no ConfigMap. */
  async function entries(signal: AbortSignal): Promise<JsonObject | undefined> {
    const answer = await transport.send({ method: 'GET', path, signal });
    if (isAbsent(answer)) return undefined;
    if (answer.status !== 200) throw refused(answer, 'get');
    const data = childOf(parseJson(answer.text), 'data');
    return isObject(data) ? data : {};
  }

  /** Other keys stay as they are, whoever writes them meanwhile. False where there is no ConfigMap. */
  async function patch(data: JsonObject, signal: AbortSignal): Promise<boolean> {
    const answer = await transport.send({ method: 'PATCH', path, query: { fieldManager }, contentType: 'application/merge-patch+json', body: stringifyJson({ data }), signal });
    if (isAbsent(answer)) return false;
    if (answer.status !== 200) throw refused(answer, 'patch');
    return true;
  }

  /** False where somebody else was quicker. */
  async function create(data: JsonObject, signal: AbortSignal): Promise<boolean> {
    const body = stringifyJson({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
    const answer = await transport.send({ method: 'POST', path: collection, query: { fieldManager }, contentType: 'application/json', body, signal });
    if (answer.status === 409) return false;
    if (answer.status !== 201) throw refused(answer, 'create');
    return true;
  }

  return {
    async read(signal) {
      const written = Object.entries((await entries(signal)) ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
      if (written.length > most) log.warn('there are too many silences: some have no effect', { configMap: `${namespace}/${name}`, count: written.length, most });
      return written.slice(0, most).flatMap(([id, text]) => {
        const silence = storedAt(id, text);
        if (silence === undefined) log.warn('a silence cannot be understood, and has no effect', { configMap: `${namespace}/${name}`, silence: id });
        return silence ?? [];
      });
    },
    async add({ id, ...silence }, signal) {
      const before = (await entries(signal)) ?? {};
      const over = Object.entries(before).flatMap(([key, text]) => (isOver(storedAt(key, text), now()) ? [key] : []));
      if (Object.keys(before).length - over.length >= most) {
        throw new SetpointError('Usage', `ConfigMap ${namespace}/${name} holds ${Object.keys(before).length - over.length} silences, and ${most} are the most: end some with setpoint silences end`);
      }
      const added = { [id]: stringifyJson(silence as unknown as Json) };
      const data = { ...Object.fromEntries(over.map((key) => [key, null])), ...added };
      if ((await patch(data, signal)) || (await create(added, signal)) || (await patch(data, signal))) return;
      throw new SetpointError('ClusterError', `ConfigMap ${namespace}/${name} is being made and deleted by somebody else: try again`);
    },
    async end(id, signal) {
      await patch({ [id]: null }, signal);
    },
  };
}

/** Absence is said by the API server about this very object. */
function isAbsent(answer: ApiAnswer): boolean {
  const status = statusBody(answer);
  return answer.status === 404 && status?.reason === 'NotFound' && valueAt(status.details, ['name']) === name;
}

function storedAt(id: string, text: Json): Silence | undefined {
  return typeof text === 'string' ? silenceIn(id, parseJsonOrUndefined(text)) : undefined;
}

function isOver(silence: Silence | undefined, now: Date): boolean {
  return silence !== undefined && Date.parse(silence.until) <= now.getTime();
}
