export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets only so many pieces of work go on at once; the others wait in line. */
export function createTurns(atOnce: number): TakeTurn {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The turn is handed on: whoever waits first has it before anybody new.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
