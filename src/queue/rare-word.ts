/** Says something at most once in so long, with how often there was reason to since it was last said. */
export type RareWord = (say: (times: number) => void) => void;

/** `now` is in milliseconds, on a clock that only goes forward. */
export function createRareWord(everyMs: number, now: () => number): RareWord {
  let saidAt = Number.NEGATIVE_INFINITY;
  let times = 0;
  return (say) => {
    times += 1;
    if (now() - saidAt < everyMs) return;
    saidAt = now();
    say(times);
    times = 0;
  };
}
