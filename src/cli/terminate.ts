import { parseDuration } from '../config/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { doneText } from './format/plan-operation.ts';
import { oneLine, printable } from './format/index.ts';
import { untilInterrupted } from './status-interrupt.ts';
import type { StatusItem } from './status-item.ts';
import { openStatusSource, type PlaceFlags } from './status-place.ts';
import { isUnderWay } from './sync-standing.ts';
import { waitForItem } from './sync-wait.ts';

export interface TerminateFlags extends PlaceFlags {
  readonly app: string;
  readonly timeout: string;
}

export async function runTerminate(flags: TerminateFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const timeoutMs = parseDuration(flags.timeout);
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const signal = untilInterrupted(process);
  await using source = await openStatusSource(flags, { env: process.env, now: () => new Date(), warn });
  const { id, status } = await source.find(flags, signal);
  const { operation } = status;
  if (!isUnderWay(operation)) {
    output.write(`${printable(id)} has no sync under way\n`);
    return finish(exitCode.done);
  }
  await source.askForEnd(id, operation.id, signal);
  const isOver = (item: StatusItem): boolean => item.status.operation?.id !== operation.id || !isUnderWay(item.status.operation);
  const waited = await waitForItem({ source, id, timeoutMs, isOver, tell: () => undefined, warn }, signal);
  if (!waited.isOver) {
    warn(`the sync of ${id} was not ended within ${flags.timeout}: is the agent running? setpoint doctor tells`);
    return finish(exitCode.timeout);
  }
  output.write(`${printable(id)}: ${endText(waited.item, operation.id)}\n`);
  finish(exitCode.done);
}

/** It may have come to its own end before the wish was seen. */
function endText(item: StatusItem | undefined, id: string): string {
  const operation = item?.status.operation;
  if (operation?.id !== id) return 'the sync is over, and another one has followed it';
  const { state } = operation;
  return `the sync ${state === 'terminated' ? 'was ended' : `had ${state} already`}: ${doneText(operation)}`;
}
