/** How much there is, and how much is done to it. */
export interface Shape {
  readonly applications: number;
  readonly namespaces: number;
  /** One after the other, in different applications. Medians of forty differed by a tenth within one run. */
  readonly edits: number;
  /** At once, in different applications. */
  readonly burst: number;
  readonly commits: number;
  /** While the agent is down. */
  readonly unseenEdits: number;
  /** So long nothing happens before memory and silence are measured. */
  readonly settleMs: number;
  readonly idleMs: number;
}

export const fullShape: Shape = { applications: 200, namespaces: 20, edits: 200, burst: 100, commits: 5, unseenEdits: 20, settleMs: 15_000, idleMs: 120_000 };
export const quickShape: Shape = { applications: 10, namespaces: 2, edits: 6, burst: 5, commits: 1, unseenEdits: 3, settleMs: 3000, idleMs: 10_000 };
