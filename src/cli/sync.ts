import { randomUUID } from 'node:crypto';
import type { CliDependencies } from './dependencies.ts';
import { oneLine } from './format/index.ts';
import { untilInterrupted } from './status-interrupt.ts';
import { openStatusSource, type PlaceFlags } from './status-place.ts';
import { followSync, type FollowFlags } from './sync-follow.ts';
import { syncRequestFrom, type RequestFlags } from './sync-request.ts';
import { knownResources, selectResources } from './sync-resources.ts';
import { userName } from './sync-user.ts';

export interface SyncFlags extends PlaceFlags, RequestFlags, FollowFlags {
  readonly app: string;
  readonly dryRun: boolean;
  readonly resource: readonly string[];
  readonly color: 'auto' | 'always' | 'never';
  readonly gitCredentials?: string;
}

export async function runSync(flags: SyncFlags, dependencies: CliDependencies): Promise<void> {
  const { process } = dependencies;
  if (flags.dryRun) {
    const { runSyncPlan } = await import('./sync-dry-run.ts');
    return runSyncPlan(flags, dependencies);
  }
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const signal = untilInterrupted(process);
  await using source = await openStatusSource(flags, { env: process.env, now: () => new Date(), warn });
  const item = await source.find(flags, signal);
  const resources = selectResources(flags.resource, knownResources(item.status));
  const request = syncRequestFrom(flags, { id: randomUUID(), by: userName(process.env), status: item.status, resources });
  await followSync({ source, item, request, flags }, dependencies, signal);
}
