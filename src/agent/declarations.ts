import { canonicalJson, type Json } from '../model/index.ts';
import type { Declared } from '../reconcile/index.ts';

export type Declaration = { readonly type: 'declared'; readonly declared: Declared } | { readonly type: 'withdrawn'; readonly id: string };

/** The applications that someone wants looked after, as far as they are known. */
export interface Declarations {
  declare(declared: Declared): void;
  withdraw(id: string): void;
  /** These, and no others. */
  replace(all: readonly Declared[]): void;
  all(): readonly Declared[];
  find(id: string): Declared | undefined;
  /** Told of every change. Returns the way to end that. */
  onChange(listener: (change: Declaration) => void): () => void;
}

export function createDeclarations(): Declarations {
  const known = new Map<string, { readonly declared: Declared; readonly content: string }>();
  const listeners = new Set<(change: Declaration) => void>();
  const tell = (change: Declaration): void => {
    for (const listener of listeners) listener(change);
  };
  const declare = (declared: Declared): void => {
    const { id } = declared.application;
    const content = canonicalJson(declared as unknown as Json);
    if (known.get(id)?.content === content) return;
    known.set(id, { declared, content });
    tell({ type: 'declared', declared });
  };
  const withdraw = (id: string): void => {
    if (known.delete(id)) tell({ type: 'withdrawn', id });
  };
  return {
    declare,
    withdraw,
    replace(all) {
      const ids = new Set(all.map(({ application }) => application.id));
      for (const id of [...known.keys()]) if (!ids.has(id)) withdraw(id);
      for (const declared of all) declare(declared);
    },
    all: () => [...known.values()].map(({ declared }) => declared),
    find: (id) => known.get(id)?.declared,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
