/** Since when something is wanted that has not come. */
export interface Wish {
  wanted(at: number): void;
  /** Somebody begins to answer all that was wanted until now. */
  begun(at: number): void;
  answered(): void;
  /** Nobody answers any more: it is still wanted. */
  failed(): void;
  /** Undefined where nothing is wanted. */
  since(): number | undefined;
}

export function createWish(): Wish {
  let waiting: number | undefined;
  let underWay: number | undefined;
  const earliest = (): number | undefined => (waiting === undefined || underWay === undefined ? (waiting ?? underWay) : Math.min(waiting, underWay));
  return {
    wanted(at) {
      waiting ??= at;
    },
    begun(at) {
      underWay = earliest() ?? at;
      waiting = undefined;
    },
    answered() {
      underWay = undefined;
    },
    failed() {
      waiting = earliest();
      underWay = undefined;
    },
    since: earliest,
  };
}
