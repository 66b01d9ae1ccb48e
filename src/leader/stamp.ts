/**
 * Times that only grow, whatever the clock does. Others tell a renewal by its time: one that repeats an earlier time is none to
 * them, and they would take the lease from a living holder.
 */
export function createStamp(time: () => Date): () => string {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    last = Math.max(time().getTime(), last + 1);
    return new Date(last).toISOString();
  };
}
