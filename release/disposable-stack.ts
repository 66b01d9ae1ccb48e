// Stands in for the stacks of the language in the bundle, since Node 22 has none: only what the sources use of them.
type Undo = () => unknown;

async function undoAll(undos: Undo[]): Promise<void> {
  const errors: unknown[] = [];
  for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
    try {
      await undo();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'several things could not be closed');
}

export class AsyncStack implements AsyncDisposable {
  #undos: Undo[] = [];

  use<T extends AsyncDisposable>(value: T): T {
    this.#undos.push(() => value[Symbol.asyncDispose]());
    return value;
  }

  defer(undo: Undo): void {
    this.#undos.push(undo);
  }

  move(): AsyncStack {
    const moved = new AsyncStack();
    moved.#undos = this.#undos.splice(0);
    return moved;
  }

  disposeAsync(): Promise<void> {
    return undoAll(this.#undos);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

export class Stack implements Disposable {
  readonly #values: Disposable[] = [];

  use<T extends Disposable>(value: T): T {
    this.#values.push(value);
    return value;
  }

  [Symbol.dispose](): void {
    const errors: unknown[] = [];
    for (let value = this.#values.pop(); value !== undefined; value = this.#values.pop()) {
      try {
        value[Symbol.dispose]();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'several things could not be closed');
  }
}
