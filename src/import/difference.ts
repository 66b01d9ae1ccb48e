/** Something of a document that is not the same here. Never holds a value that may be a password. */
export interface Difference {
  /** In the document as Argo CD has it: `spec.source.helm.valueFiles[1]`. */
  readonly path: string;
  /**
   * `refused`: nothing could be made of the document for it. `left-out`: it would have no effect. `rewritten`: it says the same in
   * other words. `other-meaning`: it is kept, and not all of it is as it was.
   */
  readonly type: 'refused' | 'left-out' | 'rewritten' | 'other-meaning';
  /** Why, and what to do. */
  readonly message: string;
}

/** A part of a document as it is to be here, and what became of it on the way. */
export interface Converted<Value> {
  readonly value: Value;
  readonly differences: readonly Difference[];
}

/** One step after the other, each on what the one before made. */
export function inTurn<Value>(value: Value, steps: readonly ((value: Value) => Converted<Value>)[]): Converted<Value> {
  return steps.reduce<Converted<Value>>(
    (so, step) => {
      const next = step(so.value);
      return { value: next.value, differences: [...so.differences, ...next.differences] };
    },
    { value, differences: [] },
  );
}
