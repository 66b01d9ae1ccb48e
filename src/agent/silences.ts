import type { Silence } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';

interface Following {
  readonly log: Pick<Log, 'warn'>;
  readonly signal: AbortSignal;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
}

const everyMs = 30_000;

/** What was last read of them. Those that cannot be read now hold as they were: each says itself when it ends. */
export async function followSilences(source: { read(signal: AbortSignal): Promise<readonly Silence[]> }, { log, signal, setTimer }: Following): Promise<{ readonly all: () => readonly Silence[]; readonly close: () => void }> {
  let known: readonly Silence[] = [];
  let cancel: () => void = () => undefined;
  let isClosed = false;
  const look = async (): Promise<void> => {
    try {
      known = await source.read(signal);
    } catch (error) {
      if (!signal.aborted) log.warn('silences cannot be read', { reason: (error as Error).message });
    }
    if (!isClosed) cancel = setTimer(() => void look(), everyMs);
  };
  await look();
  return {
    all: () => known,
    close() {
      isClosed = true;
      cancel();
    },
  };
}
