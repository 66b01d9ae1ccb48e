import { isCelList, isCelMap, type CelValue } from '@bufbuild/cel';

/** Counts what an evaluation has looked at, since the library sets no limit. One evaluation at a time: they are synchronous. */
export interface Meter {
  reset(): void;
  /** Throws where the value is more than may still be looked at. */
  spend(value: CelValue): void;
  /** The same for a text that a pattern is tried on: that takes far longer. */
  spendOnPattern(value: CelValue): void;
  isSpent(): boolean;
}

// About a second at the very worst; a usual expression takes some hundreds.
const limit = 1_000_000;
const patternFactor = 32;

export function createMeter(): Meter {
  let left = limit;
  const take = (cost: number): void => {
    left -= cost;
    if (left < 0) throw new Error('it looks at too much');
  };
  const spend = (value: CelValue): void => {
    take(1);
    if (typeof value === 'string' || value instanceof Uint8Array) take(value.length / 32);
    else if (isCelList(value)) {
      // A list that was made by joining is a chain, and each step through it goes down the chain.
      take(value.size + value.size ** 2 / 16);
      for (const item of value) spend(item);
    } else if (isCelMap(value)) {
      take(value.size);
      for (const [, item] of value) spend(item);
    }
  };
  return {
    reset() {
      left = limit;
    },
    spend,
    spendOnPattern(value) {
      spend(value);
      if (typeof value === 'string') take(value.length * patternFactor);
    },
    isSpent: () => left < 0,
  };
}
