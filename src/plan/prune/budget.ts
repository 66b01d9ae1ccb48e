/** How many of so many may go without a question: a source that lost half of itself is more likely than that half is meant to go. */
export function pruneBudget(applied: number): number {
  return Math.max(5, Math.floor(applied * 0.2));
}
