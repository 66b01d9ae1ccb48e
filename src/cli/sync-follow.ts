import { stringifyJson, toSetpointError, type SyncRequest } from '../model/index.ts';
import { parseDuration } from '../config/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { oneLine } from './format/index.ts';
import type { StatusItem } from './status-item.ts';
import type { StatusSource } from './status-source.ts';
import { createSyncProgress } from './sync-progress.ts';
import { syncReport, syncEndText, type SyncEnd } from './sync-report.ts';
import { exitCodeOfSync, isWell, syncStanding } from './sync-standing.ts';
import { waitForItem } from './sync-wait.ts';

export interface FollowFlags {
  readonly wait: boolean;
  readonly timeout: string;
  readonly output: 'text' | 'json';
}

interface Followed {
  readonly source: StatusSource;
  readonly item: StatusItem;
  readonly request: SyncRequest;
  readonly flags: FollowFlags;
}

/** Leaves the request where the agent finds it, and tells what comes of it. */
export async function followSync({ source, item: before, request, flags }: Followed, { process, output, finish }: CliDependencies, signal: AbortSignal): Promise<void> {
  const { id } = before;
  const timeoutMs = parseDuration(flags.timeout);
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const progress = createSyncProgress({ stream: process.stderr, now: () => new Date() });
  const standingOf = ({ status }: StatusItem): SyncEnd['standing'] => syncStanding(status, request.id);
  const isOver = (item: StatusItem): boolean => {
    const { type } = standingOf(item);
    if (type === 'unanswered' || (type === 'running' && flags.wait)) return false;
    return !flags.wait || type !== 'ended' || hasFailed(item) || isWell(item.status, request);
  };
  const hasFailed = ({ status }: StatusItem): boolean => status.operation?.state !== 'succeeded';
  const tell = (item: StatusItem): void => {
    if (flags.wait && 'operation' in standingOf(item)) progress.show(item);
  };

  await source.askForSync(id, request, signal);
  const waited = await waitForItem({ source, id, timeoutMs, isOver, tell, warn }, signal).catch((error: unknown) => {
    // What was said let it go: nobody is left to answer.
    if (before.status.operation?.type === 'delete' && toSetpointError(error).code === 'Usage') return undefined;
    throw error;
  });
  if (waited === undefined) return flags.output === 'json' ? output.write(`${stringifyJson(syncReport({ item: before, standing: { type: 'followed' } }, request.id), 2)}\n`) : output.write(`${id} is deleted\n`);
  const item = waited.item ?? before;
  const end: SyncEnd = { item, standing: standingOf(item), ...(waited.isOver ? {} : { timedOut: flags.timeout }) };
  const code = waited.isOver ? exitCodeOfSync(end.standing, item.status) : exitCode.timeout;
  finish(code);
  if (flags.output === 'json') return output.write(`${stringifyJson(syncReport(end, request.id), 2)}\n`);
  if (code === exitCode.error || code === exitCode.timeout) process.stderr.write(`setpoint: ${syncEndText(end)}`);
  else output.write(syncEndText(end));
}
