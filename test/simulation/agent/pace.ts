/** How the simulated agents are set. The sweep is so rare that it hides nothing that was forgotten. */
export const pace = { intervalMs: 20_000, sweepMs: 30 * 60_000, lookMs: 150_000 };

export const pollMs = 20_000;

export const staleAfterMs = 3 * pace.intervalMs;

/** What hides values where they are stored; here there is nothing to hide. */
export const salt = 'salt';
