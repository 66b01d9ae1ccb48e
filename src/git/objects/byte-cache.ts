export interface ByteCache<Value> {
  get(key: number | string): Value | undefined;
  set(key: number | string, value: Value, bytes: number): void;
  clear(): void;
}

/** Keeps what was used last, up to a number of bytes. A quarter of it is the most that one value may take. */
export function createByteCache<Value>(maxBytes: number): ByteCache<Value> {
  const kept = new Map<number | string, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  let newest: number | string | undefined;
  const forget = (key: number | string): void => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      if (key !== newest) {
        kept.delete(key);
        kept.set(key, found);
        newest = key;
      }
      return found.value;
    },
    set(key, value, bytes) {
      forget(key);
      if (bytes > maxBytes / 4) return;
      kept.set(key, { value, bytes });
      newest = key;
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break;
        forget(oldest);
      }
    },
    clear() {
      kept.clear();
      total = 0;
    },
  };
}
