/** Tasks with the same name run one after the other, in the order they came; others do not wait for them. */
export interface Turns {
  take<T>(name: string, task: () => Promise<T>): Promise<T>;
  /** The names that have a task now. */
  names(): string[];
  /** Ends when every task known now has ended, well or badly. */
  over(): Promise<void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();

  return {
    async take(name, task) {
      const before = last.get(name);
      const { promise: turn, resolve: end } = Promise.withResolvers<void>();
      last.set(name, turn);
      await before;
      try {
        return await task();
      } finally {
        if (last.get(name) === turn) last.delete(name);
        end();
      }
    },
    names: () => [...last.keys()],
    async over() {
      await Promise.all(last.values());
    },
  };
}
