/** What an agent did, with the moment on the machine's clock (process.hrtime), which all processes share. */
export type AgentEvent =
  | { readonly type: 'started'; readonly run: string; readonly key: string; readonly at: number }
  | { readonly type: 'ended'; readonly run: string; readonly key: string; readonly at: number; readonly well: boolean }
  /** The moment is that before the add, and it is told when the add was taken. */
  | { readonly type: 'added'; readonly key: string; readonly at: number };

interface Run {
  readonly key: string;
  readonly startedAt: number;
  endedAt: number;
  well: boolean;
}

/** All that happened to the keys of a queue, whoever worked on them. */
export interface RunHistory {
  saw(this: void, event: AgentEvent): void;
  /** Ends what an agent had under way when it died. */
  died(runs: (run: string) => boolean, at: number): void;
  /** Keys without a good run that began after they were last added. */
  unserved(keys: readonly string[]): string[];
  /** Runs of a key that began before another one of it was over. */
  overlaps(): string[];
  runs(): number;
}

export function momentNow(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

export function createRunHistory(): RunHistory {
  const runs = new Map<string, Run>();
  const lastAdded = new Map<string, number>();

  return {
    saw(event) {
      if (event.type === 'added') {
        lastAdded.set(event.key, Math.max(event.at, lastAdded.get(event.key) ?? 0));
      } else if (event.type === 'started') {
        runs.set(event.run, { key: event.key, startedAt: event.at, endedAt: Number.POSITIVE_INFINITY, well: false });
      } else {
        const run = runs.get(event.run);
        if (run === undefined) throw new Error(`${event.run} ended and never started`);
        run.endedAt = event.at;
        run.well = event.well;
      }
    },
    died(isMine, at) {
      for (const [id, run] of runs) if (isMine(id) && run.endedAt === Number.POSITIVE_INFINITY) run.endedAt = at;
    },
    unserved(keys) {
      const served = new Set<string>();
      const busy = new Set<string>();
      for (const { key, startedAt, endedAt, well } of runs.values()) {
        if (well && startedAt >= (lastAdded.get(key) ?? 0)) served.add(key);
        if (endedAt === Number.POSITIVE_INFINITY) busy.add(key);
      }
      return keys.filter((key) => !served.has(key) || busy.has(key));
    },
    overlaps() {
      const byKey = Map.groupBy(runs.values(), ({ key }) => key);
      return [...byKey].flatMap(([key, own]) => {
        const ordered = own.toSorted((one, other) => one.startedAt - other.startedAt);
        const early = ordered.filter((run, index) => run.startedAt < (ordered[index - 1]?.endedAt ?? 0));
        return early.map(({ startedAt }) => `${key} at ${startedAt}`);
      });
    },
    runs: () => runs.size,
  };
}
