import { describe, expect, test } from 'vitest';
import { AsyncStack, Stack } from '../../../release/disposable-stack.ts';

interface Place extends Disposable, AsyncDisposable {
  readonly name: string;
}

function places(): { readonly closed: string[]; place(name: string): Place; broken(name: string): Place } {
  const closed: string[] = [];
  const made = (name: string, end: () => void): Place => {
    const close = (): void => {
      closed.push(name);
      end();
    };
    return { name, [Symbol.dispose]: close, [Symbol.asyncDispose]: () => Promise.resolve().then(close) };
  };
  return {
    closed,
    place: (name) => made(name, () => undefined),
    broken: (name) =>
      made(name, () => {
        throw new Error(`${name} is stuck`);
      }),
  };
}

// What Node 24 has is the oracle of what stands in for it on Node 22.
describe.each<[string, new () => Pick<Stack, keyof Stack>]>([
  ['the language’s', DisposableStack],
  ['ours', Stack],
])('%s stack', (_, Kind) => {
  test('closes what was opened last first, all of it though one throws, and throws that', () => {
    const { closed, place, broken } = places();
    const close = (): void => {
      using stack = new Kind();
      expect(stack.use(place('a')).name).toBe('a');
      stack.use(broken('b'));
      stack.use(place('c'));
    };
    expect(close).toThrow('b is stuck');
    expect(closed).toEqual(['c', 'b', 'a']);
  });
});

describe.each<[string, new () => Pick<AsyncStack, 'use' | 'defer' | 'disposeAsync' | typeof Symbol.asyncDispose> & { move(): { disposeAsync(): Promise<void> } }]>([
  ['the language’s', AsyncDisposableStack],
  ['ours', AsyncStack],
])('%s stack of what takes time to close', (_, Kind) => {
  test('closes what was opened last first, all of it though one throws, and throws that', async () => {
    const { closed, place, broken } = places();
    const close = async (): Promise<void> => {
      await using stack = new Kind();
      expect(stack.use(place('a')).name).toBe('a');
      stack.use(broken('b'));
      stack.defer(() => void closed.push('c'));
    };
    await expect(close()).rejects.toThrow('b is stuck');
    expect(closed).toEqual(['c', 'b', 'a']);
  });

  test('what was moved is closed by its new owner, once', async () => {
    const { closed, place } = places();
    const open = (): { disposeAsync(): Promise<void> } => {
      const stack = new Kind();
      stack.use(place('a'));
      return stack.move();
    };
    const moved = open();
    expect(closed).toEqual([]);
    await moved.disposeAsync();
    await moved.disposeAsync();
    expect(closed).toEqual(['a']);
  });
});
