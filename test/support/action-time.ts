/** When something was done, by the clock of this machine, which is also the cluster's. */
export interface ActionTime {
  readonly from: Date;
  readonly to: Date;
}

export async function timed(action: () => Promise<unknown>): Promise<ActionTime> {
  const from = new Date();
  await action();
  return { from, to: new Date() };
}

// From the server's commit to the line on the screen, on a machine that has other things to do.
const arrivalMs = 10_000;

/** Whether a time in whole seconds can be that of an action: not before it, and soon after it. */
export function isTimeOf(text: string, { from, to }: ActionTime): boolean {
  const time = Date.parse(text);
  return time >= Math.floor(from.getTime() / 1000) * 1000 && time <= to.getTime() + arrivalMs;
}
