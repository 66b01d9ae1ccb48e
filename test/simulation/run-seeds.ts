// Many seeds in → what was wrong with any of them, from as many processes as there are processors.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

export interface Seeds {
  readonly first: number;
  readonly count: number;
  /** A bug by its name in `mutations.ts`. */
  readonly plant?: string | undefined;
  /** So many violations tell enough. */
  readonly enough: number;
}

export interface Found {
  readonly count: number;
  readonly violations: readonly string[];
}

// Every fiftieth takes several times as long: it is one of each portion.
const portion = 50;
// Stories make much that is soon forgotten: with the few megabytes of the default a tenth of the time goes into clearing up.
const execArgv = ['--max-semi-space-size=64'];

export async function runSeeds({ first, count, ...rest }: Seeds, seen: (done: number) => void = () => undefined): Promise<readonly string[]> {
  const end = first + count;
  const violations: string[] = [];
  let next = first;
  let done = 0;

  async function work(child: ChildProcess): Promise<void> {
    while (next < end && violations.length < rest.enough) {
      const seeds: Seeds = { first: next, count: Math.min(portion, end - next), ...rest };
      next += seeds.count;
      child.send(seeds);
      const found = await answer(child);
      violations.push(...found.violations);
      seen((done += found.count));
    }
  }

  const children = Array.from({ length: Math.min(availableParallelism(), Math.ceil(count / portion)) }, () => fork(join(import.meta.dirname, 'seed-process.ts'), { execArgv }));
  try {
    await Promise.all(children.map(work));
  } finally {
    for (const child of children) child.kill();
  }
  return violations;
}

async function answer(child: ChildProcess): Promise<Found> {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([found]) => found as Found),
      once(child, 'exit', { signal }).then(([code, killedBy]) => Promise.reject(new Error(`a process of the simulation ended with ${code ?? killedBy}`))),
    ]);
  } finally {
    over.abort();
  }
}
