/** A repeatable Math.random, and the seed that repeats it. */
export interface SeededRandom {
  readonly seed: number;
  next(): number;
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
}

/** The seed is given, or comes from SETPOINT_SEED, else it is a new one each time. */
export function seededRandom(seed = Number(process.env['SETPOINT_SEED'] ?? Math.floor(Math.random() * 2 ** 31))): SeededRandom {
  let state = seed >>> 0;
  // A Weyl sequence through a 32-bit mixing function: even enough for tests, and small.
  function next(): number {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  }
  return { seed, next, below: (limit) => Math.floor(next() * limit) };
}
