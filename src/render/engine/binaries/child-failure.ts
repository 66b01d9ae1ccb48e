import { SetpointError } from '../../../model/index.ts';
import type { BinaryLimits } from './limits.ts';
import type { ChildOutcome } from './run-child.ts';

export interface Failed {
  /** What was rendered: the folder of the chart or kustomization. */
  readonly subject: string;
  /** The program, as a person calls it. */
  readonly tool: string;
  /** On disk, where the program saw the source. */
  readonly folder: string;
  /** What the program's own input files are called for people. */
  readonly names: ReadonlyMap<string, string>;
  readonly limits: BinaryLimits;
}

const outOfMemory = /^(?:fatal error: .*(?:out of memory|cannot allocate memory)|runtime: .*cannot allocate memory)/m;
const outOfTime = /^SIGXCPU: /m;
const messageLength = 4_000;

/** Undefined where the program did what it was asked. */
export function childFailure(outcome: ChildOutcome, failed: Failed): SetpointError | undefined {
  const { tool, limits } = failed;
  const subject = failed.subject || '.';
  switch (outcome.type) {
    case 'timeout':
      return new SetpointError('RenderTimeout', `${subject}: ${tool} did not end within ${limits.deadlineMs / 1000} s`);
    case 'output':
      return new SetpointError('SourceTooLarge', `${subject}: ${tool} printed more than ${limits.outputBytes} bytes`);
    case 'not-started':
      return notStarted(outcome.cause, { tool, subject });
    case 'ended':
      break;
  }
  if (outcome.code === 0) return undefined;
  if (outOfMemory.test(outcome.complaints)) {
    return new SetpointError('SourceTooLarge', `${subject}: ${tool} needed more than ${limits.memoryBytes} bytes of memory`);
  }
  if (outOfTime.test(outcome.complaints) || outcome.signal === 'SIGXCPU') {
    return new SetpointError('RenderTimeout', `${subject}: ${tool} needed more than ${limits.cpuSeconds} s of processor time`);
  }
  if (outcome.signal === 'SIGKILL') {
    // Not by us: the kernel does it past the hard limit of processor time, or when the machine itself has no memory left.
    const why = `it needed more than ${limits.cpuSeconds} s of processor time, or more memory than there is`;
    return new SetpointError('RenderTimeout', `${subject}: ${tool} was killed by the system: ${why}`);
  }
  const said = essence(outcome.complaints, failed);
  const ended = `${tool} ended with ${outcome.signal ?? `code ${outcome.code}`} and said nothing`;
  return new SetpointError('RenderFailed', `${subject}: ${said === '' ? ended : said}`);
}

function notStarted(cause: NodeJS.ErrnoException, { tool, subject }: { readonly tool: string; readonly subject: string }): SetpointError {
  if (cause.code === 'E2BIG') return new SetpointError('SourceTooLarge', `${subject}: the parameters are too long for a command line`);
  return new SetpointError('RendererMissing', `${subject}: ${tool} could not be started: ${cause.code ?? cause.message}`);
}

const logLine = /^(?:time=\S+ |level=|\d{4}\/\d\d\/\d\d |# Warning: |Warning: |W\d{4} )/;

function isError(line: string): boolean {
  return /^error: /i.test(line);
}

/** What went wrong in the words of the program, with the paths of the repository in place of ours. */
function essence(complaints: string, { folder, names }: Failed): string {
  const lines = complaints.split('\n').filter((line) => !logLine.test(line) && !line.startsWith('Use --debug flag'));
  const start = Math.max(lines.findIndex((line) => isError(line)), 0);
  const next = lines.findIndex((line, index) => index > start && isError(line));
  const text = lines.slice(start, next === -1 ? undefined : next).join('\n').trim().replace(/^error: /i, '');
  const inTree = text.replaceAll(`${folder}/tree/`, '').replaceAll(`${folder}/tree`, '.').replaceAll(`${folder}/`, '');
  const named = [...names].toReversed().reduce((message, [file, name]) => message.replaceAll(file, () => name), inTree);
  return named.length > messageLength ? `${named.slice(0, messageLength)}…` : named;
}
