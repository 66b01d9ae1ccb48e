// The thread that the module runs in. Go's support script gets a context of its own with nothing that leads out: no fetch, no
// process, no file system. The tree of files is asked for through a port, and this thread sleeps until the answer is there.
import { readFile } from 'node:fs/promises';
import { runInContext, createContext } from 'node:vm';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { awaitAnswer } from './answer-signal.ts';
import type { Answer, Question, RenderMessage, WorkerMessage, WorkerStart } from './messages.ts';
import { webAssembly, type WasmInstance } from './web-assembly.ts';

interface GoRuntime {
  readonly importObject: object;
  exit: (code: number) => void;
  run(instance: WasmInstance): Promise<void>;
}

interface Sandbox {
  readonly Go?: new () => GoRuntime;
  readonly render?: (request: string, done: (result: string, text: string) => void) => void;
}

const outputKept = 4000;
const lastWords = /fatal error|panic|runtime:/;

const start = workerData as WorkerStart;
const answered = new Int32Array(start.answered);
const output = { text: '', latest: '' };

let questions = 0;

function ask(what: Question['what'], paths: readonly string[]): Answer {
  // As the shared number counts: 32 bits, and on from the lowest.
  const number = (questions = (questions + 1) | 0);
  start.questions.postMessage({ number, what, paths: [...paths] } satisfies Question, []);
  awaitAnswer(answered, number);
  const received: { readonly message: Answer } | undefined = receiveMessageOnPort(start.questions);
  if (received === undefined) throw new Error(`question ${number} was answered with nothing`);
  return received.message;
}

function keepOutput(...parts: readonly unknown[]): void {
  const text = parts.join(' ');
  output.latest = text;
  // Warnings come before what the module dies of, stack traces after.
  const matters = output.text === '' ? lastWords.test(text) : output.text.length < outputKept;
  if (matters) output.text += `${text}\n`;
}

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message, []);
}

const sandbox = createContext({
  ask,
  console: { log: keepOutput, warn: keepOutput, error: keepOutput },
  crypto: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) },
  performance: { now: () => performance.now(), timeOrigin: performance.timeOrigin },
  setTimeout,
  clearTimeout,
  TextEncoder,
  TextDecoder,
  Uint8Array,
  WebAssembly: webAssembly,
}) as Sandbox;

const [support, module] = await Promise.all([
  readFile(start.support, 'utf8'),
  start.module ?? readFile(start.wasm).then((bytes) => webAssembly.compile(bytes)),
]);
runInContext(support, sandbox, { filename: 'wasm_exec.js' });
if (sandbox.Go === undefined) throw new Error(`${start.support} is not Go's support script`);
const go = new sandbox.Go();
go.exit = () => send({ type: 'ended', output: output.text || output.latest.slice(0, outputKept) });
const instance = await webAssembly.instantiate(module, go.importObject);
// It ends only when the module does, which `exit` tells.
void go.run(instance);
send({ type: 'ready', module });

parentPort?.on('message', ({ request }: RenderMessage) => {
  output.text = '';
  output.latest = '';
  sandbox.render?.(request, (result, text) => send({ type: 'rendered', result, text }));
});
