interface Bounds {
  readonly limit: number;
  /** Asked before each is begun. */
  readonly isOver: () => boolean;
}

/** Works on items in their order, some at once. What throws ends it, when those under way are done. Answers for those that were begun. */
export async function runBounded<T, R>(items: readonly T[], work: (item: T) => Promise<R>, { limit, isOver }: Bounds): Promise<readonly R[]> {
  const results: R[] = [];
  const errors: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next; at < items.length && errors.length === 0 && !isOver(); at = next) {
      next += 1;
      try {
        results[at] = await work(items[at] as T);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
