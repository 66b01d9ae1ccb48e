import { randomUUID } from 'node:crypto';
import { SetpointError } from '../model/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { oneLine } from './format/index.ts';
import { rollbackTarget, whyUndone } from './rollback-target.ts';
import { untilInterrupted } from './status-interrupt.ts';
import { openStatusSource, type PlaceFlags } from './status-place.ts';
import { followSync, type FollowFlags } from './sync-follow.ts';
import { syncRequestFrom } from './sync-request.ts';
import { userName } from './sync-user.ts';

export interface RollbackFlags extends PlaceFlags, FollowFlags {
  readonly app: string;
  readonly id?: string | undefined;
  readonly prune: boolean;
  readonly approve: readonly string[];
}

export async function runRollback(flags: RollbackFlags, dependencies: CliDependencies): Promise<void> {
  const { process } = dependencies;
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const signal = untilInterrupted(process);
  await using source = await openStatusSource(flags, { env: process.env, now: () => new Date(), warn });
  const item = await source.find(flags, signal);
  const useless = whyUndone(item, new Date());
  if (useless !== undefined) throw new SetpointError('Usage', useless);
  const { revision } = rollbackTarget(item.status, flags.id);
  const { prune, approve } = flags;
  const request = syncRequestFrom({ prune, approve, revision }, { id: randomUUID(), by: userName(process.env), status: item.status, resources: undefined });
  await followSync({ source, item, request, flags }, dependencies, signal);
}
