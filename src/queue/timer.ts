/** Calls back once after the delay, unless the function it returns is called first. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

export const setSystemTimer: SetTimer = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};

/** Whether `work` came to an end, well or badly, before the deadline. */
export async function endsWithin(
  work: Promise<unknown>,
  deadlineMs: number,
  setTimer: SetTimer = setSystemTimer,
): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const cancel = setTimer(() => resolve(false), deadlineMs);
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    cancel();
  }
}
