import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AgentConfig, ReceiverConfig } from '../config/index.ts';
import { SetpointError, staleIntervals } from '../model/index.ts';
import { createServer, type Check, type Hint, type Receiver, type Server } from '../server/index.ts';
import type { Log, Metrics } from '../telemetry/index.ts';
import { systemClock } from './clock.ts';
import type { Leading } from './leading.ts';
import { lookMs, type Term } from './term.ts';

export interface ServingOptions {
  readonly config: AgentConfig;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Nothing until the agent has started. */
  readonly leading: () => Leading | undefined;
}

const worstDelayMs = 5000;
/** A look that is ended by its deadline takes a moment. */
const slackMs = 60_000;

/** Webhooks, health and metrics, where they are configured. */
export async function startServer(options: ServingOptions, signal: AbortSignal): Promise<Server | undefined> {
  const { config, log, metrics, leading } = options;
  const term = (): Term | undefined => leading()?.term();
  metrics.sample({ apps: () => term()?.samples() ?? [], queues: async () => (await term()?.queues()) ?? [], alerts: async () => (await term()?.alerts()) ?? [], destinations: () => term()?.destinations() ?? [], isLeader: () => leading()?.isLeader() ?? false, now: systemClock.now });
  if (config.hooks === undefined && config.operations === undefined) return undefined;
  // Each measurement wakes the process.
  const delay = monitorEventLoopDelay({ resolution: 500 });
  delay.enable();
  const health: readonly Check[] = [
    {
      name: 'event loop',
      check() {
        const p99 = delay.percentile(99) / 1e6;
        delay.reset();
        return p99 > worstDelayMs ? `one in a hundred turns waited ${Math.round(p99)} ms` : undefined;
      },
    },
    {
      name: 'progress',
      async check() {
        const stuckMs = (await term()?.stuckMs()) ?? 0;
        return stuckMs > Math.max(staleIntervals * config.intervalMs, lookMs + slackMs) ? `looks are wanted, and none has ended for ${Math.round(stuckMs / 1000)} s` : undefined;
      },
    },
  ];
  const { hooks, operations } = config;
  return createServer(
    {
      ...(hooks && { hooks: { ...hooks.listen, receivers: hooks.receivers.map(receiverOf), onHint: (hint) => hintTo(leading(), hint) } }),
      ...(operations && { operations: { ...operations, health, readiness: () => leading()?.readiness ?? [starting], metrics } }),
      log,
      now: () => systemClock.now().getTime(),
      on: { request: (receiver, result) => metrics.webhook(receiver, result) },
    },
    signal,
  );
}

const notStarted = 'the agent has not started yet: its log says what it waits for';
const starting: Check = { name: 'agent', check: () => notStarted };

async function hintTo(leading: Leading | undefined, hint: Hint): Promise<void> {
  if (leading === undefined) throw new SetpointError('QueueUnavailable', notStarted);
  await leading.hint(hint);
}

function receiverOf({ id, provider, secretFiles, user, header, repository, reference }: ReceiverConfig): Receiver {
  return {
    id,
    provider,
    secrets: async () => (await Promise.all(secretFiles.map((file) => readFile(file, 'utf8')))).map((text) => text.trim()).filter((text) => text !== ''),
    ...(user === undefined ? {} : { user }),
    ...(header === undefined ? {} : { header }),
    ...(repository === undefined ? {} : { repository }),
    ...(reference === undefined ? {} : { reference }),
  };
}
