import type { Json, JsonObject } from '../model/index.ts';
import { messageText, withoutUrlSecrets } from './message-text.ts';
import { isTrueAt, numberAt, objectsAt, textAt } from './read-object.ts';

/** `stuck` never ends by itself, `failing` is tried again, `waiting` may be quite in order. */
export interface Trouble {
  readonly type: 'stuck' | 'failing' | 'waiting';
  readonly text: string;
  /** The kubelet has seen so many failures in a row that this is no passing thing. */
  readonly lasting?: boolean;
}

const imageReasons = new Set([
  ...['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'],
  ...['ImageInspectError', 'RegistryUnavailable', 'SignatureValidationFailed'],
]);
const usualReasons = new Set(['ContainerCreating', 'PodInitializing']);

/** Why a container does not do what it should, by its status; `pod` is for what the status does not repeat. */
export function containerTrouble(status: JsonObject, type: 'container' | 'init container', pod: Json): Trouble | undefined {
  const name = textAt(status, 'name') ?? '';
  const who = `${type} "${messageText(name, 63)}"`;
  const waiting = textAt(status, 'state.waiting.reason');
  if (waiting === 'CrashLoopBackOff') return crashLoop(status, who);
  if (waiting !== undefined && imageReasons.has(waiting)) return imageTrouble(status, waiting, imageOf(pod, name));
  if (waiting !== undefined && !usualReasons.has(waiting)) {
    const detail = withoutEnv(textAt(status, 'state.waiting.message') ?? '', pod);
    return { type: 'stuck', text: `${who} cannot start: ${[waiting, messageText(detail, 250)].filter((part) => part !== '').join(': ')}` };
  }
  const ended = endOf(status, 'state');
  if (ended !== undefined) return { type: 'failing', text: `${who} ended with ${ended}${restarts(status)}` };
  if (type === 'init container') return waiting === undefined && !isTrueAt(status, 'ready') ? initWaits(status, who) : undefined;
  if (isTrueAt(status, 'ready')) return undefined;
  const before = endOf(status, 'lastState');
  if (before !== undefined) return { type: 'failing', text: `${who} is not ready; before, it ended with ${before}${restarts(status)}` };
  return { type: 'waiting', text: waiting === undefined ? `${who} is not ready` : `${who} is being created` };
}

function initWaits(status: JsonObject, who: string): Trouble | undefined {
  const before = endOf(status, 'lastState');
  if (before !== undefined) return { type: 'failing', text: `${who} runs again; before, it ended with ${before}${restarts(status)}` };
  return textAt(status, 'state.running.startedAt') === undefined ? undefined : { type: 'waiting', text: `${who} is running` };
}

function crashLoop(status: JsonObject, who: string): Trouble {
  const ended = endOf(status, 'lastState') ?? endOf(status, 'state');
  const text = `${who} keeps ending${ended === undefined ? '' : ` with ${ended}`}${restarts(status)} (CrashLoopBackOff)`;
  return { type: 'failing', text, lasting: backOffSeconds(status) >= fifthBackOffSeconds };
}

// The kubelet waits 10 s and doubles: this long is the wait after the fifth failure in a row.
const fifthBackOffSeconds = 160;

function backOffSeconds(status: JsonObject): number {
  const found = /^back-off (?:(?<minutes>\d{1,3})m)?(?<seconds>\d{1,3})s /.exec(textAt(status, 'state.waiting.message') ?? '');
  return Number(found?.groups?.['minutes'] ?? 0) * 60 + Number(found?.groups?.['seconds'] ?? 0);
}

/** Never the termination message: that is whatever the program wrote. */
function endOf(status: JsonObject, state: 'state' | 'lastState'): string | undefined {
  const code = numberAt(status, `${state}.terminated.exitCode`);
  const reason = textAt(status, `${state}.terminated.reason`);
  if (code === undefined || (code === 0 && (reason === undefined || reason === 'Completed'))) return undefined;
  return `exit code ${code}${reason === undefined || reason === 'Error' ? '' : ` (${messageText(reason, 63)})`}`;
}

function restarts(status: JsonObject): string {
  const count = numberAt(status, 'restartCount') ?? 0;
  return count === 0 ? '' : `, restarted ${count} ${count === 1 ? 'time' : 'times'}`;
}

function imageTrouble(status: JsonObject, reason: string, wanted: string | undefined): Trouble {
  const image = wanted ?? textAt(status, 'image') ?? '';
  const detail = (textAt(status, 'state.waiting.message') ?? '').slice(0, 2000).replace(/^Back-off pulling image "[^"]*"(?:: )?/, '');
  const text = `image "${messageText(image, 150)}" cannot be pulled (${reason})`;
  return { type: 'stuck', text: detail === '' ? text : `${text}: ${messageText(withoutUrlSecrets(detail), 220)}` };
}

function containersOf(pod: Json): readonly JsonObject[] {
  return [...objectsAt(pod, 'spec.containers'), ...objectsAt(pod, 'spec.initContainers')];
}

function imageOf(pod: Json, name: string): string | undefined {
  return textAt(
    containersOf(pod).find((container) => container['name'] === name),
    'image',
  );
}

/** A runtime's error repeats the command, and a command may be made of the environment. */
function withoutEnv(text: string, pod: Json): string {
  const values = containersOf(pod)
    .flatMap((container) => objectsAt(container, 'env').map((variable) => textAt(variable, 'value') ?? ''))
    .filter((value) => value.length >= 3)
    .toSorted((a, b) => b.length - a.length);
  return values.reduce((rest, value) => rest.replaceAll(value, '***'), text.slice(0, 2000));
}
