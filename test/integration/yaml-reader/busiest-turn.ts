/** The most time of the processor that this thread spent between two ticks of a timer, in milliseconds: the load of others does not count. */
export function busiestTurn(): { readonly stop: () => number } {
  let [before, most] = [spentMs(), 0];
  const tick = (): void => {
    const now = spentMs();
    most = Math.max(most, now - before);
    before = now;
  };
  const timer = setInterval(tick, 2);
  return {
    stop: () => {
      clearInterval(timer);
      tick();
      return most;
    },
  };
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
