import type { Log } from '../telemetry/index.ts';
import { checkReceivers } from './check-receivers.ts';
import { setSystemTimer, type SetTimer } from './deadline.ts';
import { createHookListener, type HookObserver } from './hook-listener.ts';
import type { OnHint } from './intake.ts';
import { defaultLimits, listen, type Address, type Limits, type Listener } from './listener.ts';
import { createOperationsListener, type Operations } from './operations-listener.ts';
import type { Receiver } from './receiver.ts';
import type { Check } from './run-checks.ts';

export interface ServerOptions {
  /** May be reached from everywhere. */
  readonly hooks?: Address & { readonly receivers: readonly Receiver[]; readonly onHint: OnHint };
  /** For the cluster only. */
  readonly operations?: Address & Operations;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Milliseconds since 1970: signatures have a time. */
  readonly now: () => number;
  readonly setTimer?: SetTimer;
  readonly limits?: Partial<Limits>;
  readonly on?: HookObserver;
}

export interface Server {
  readonly hooksAddress?: Address;
  readonly operationsAddress?: Address;
  /** From now on it is not ready, says so, and takes no webhook: another one may. Ends when those under way have ended. */
  retire(): Promise<void>;
  /** Takes nothing new, and lets what is under way end. */
  close(): Promise<void>;
}

/** Two listeners, so that one can be public and the other not. Port 0 takes a free one. */
export async function createServer(options: ServerOptions, signal: AbortSignal): Promise<Server> {
  const { hooks, operations, log, now, on, setTimer = setSystemTimer } = options;
  const limits = { ...defaultLimits, ...options.limits };
  if (hooks !== undefined) await checkReceivers(hooks.receivers, signal);
  const hookListener = hooks && (await listen(createHookListener({ ...hooks, limits, log, now, setTimer, on }), { ...hooks, what: 'webhooks', limits, setTimer }));
  let operationsListener: Listener | undefined;
  let isRetired = false;
  const staying: Check = { name: 'agent', check: () => (isRetired ? 'the agent is stopping' : undefined) };
  try {
    const asked = operations && { ...operations, readiness: () => [staying, ...operations.readiness()] };
    operationsListener = asked && (await listen(createOperationsListener({ ...asked, limits, log, setTimer }), { ...asked, what: 'health and metrics', limits, setTimer }));
  } catch (error) {
    await hookListener?.close();
    throw error;
  }
  if (hookListener !== undefined) log.info('webhooks are received', { ...hookListener.address, receivers: hooks?.receivers.length });
  if (operationsListener !== undefined) log.info('health and metrics are served', { ...operationsListener.address });
  const retire = async (): Promise<void> => {
    isRetired = true;
    await hookListener?.close();
  };
  return {
    ...(hookListener && { hooksAddress: hookListener.address }),
    ...(operationsListener && { operationsAddress: operationsListener.address }),
    retire,
    async close() {
      await Promise.all([retire(), operationsListener?.close()]);
    },
  };
}
