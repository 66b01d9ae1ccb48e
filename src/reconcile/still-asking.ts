/** Git takes its time, and nothing is known without its answer. Whoever looks lets others have their turn: the answer asks for another look. */
export class StillAsking extends Error {
  override readonly name = 'StillAsking';
}
