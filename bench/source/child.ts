import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process that answers each message with one. */
export interface Child<Answer> extends AsyncDisposable {
  readonly first: Answer;
  ask(): Promise<Answer>;
}

/** Starts a file of this folder and waits for its first message. It ends by itself when it is let go. */
export async function startChild<Answer>(file: string, args: readonly string[]): Promise<Child<Answer>> {
  const child = fork(join(import.meta.dirname, file), args, { execArgv: [] });
  const exited = once(child, 'exit');
  const next = async (): Promise<Answer> => {
    const ended = exited.then(([code]) => Promise.reject(new Error(`${file} ended with ${String(code)}`)));
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Answer];
    return answer;
  };
  const first = await next();
  return {
    first,
    ask: async () => {
      const answer = next();
      child.send('');
      return answer;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
