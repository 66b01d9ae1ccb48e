import type { Json } from './json.ts';

/** What a kind's OpenAPI says about how the server merges and stores values. Types may refer to themselves. */
export type Schema =
  | { readonly type: 'scalar'; readonly format: 'plain' | 'quantity' | 'quantity-text' | 'bytes' }
  | SchemaStruct
  | { readonly type: 'map'; readonly element: SchemaField; readonly atomic: boolean }
  | { readonly type: 'list'; readonly relation: 'atomic' | 'set' | 'map'; readonly keys: readonly string[]; readonly element: SchemaField }
  /** The server has no type for it: maps are merged key by key, lists replaced whole. */
  | { readonly type: 'any' };

export interface SchemaStruct {
  readonly type: 'struct';
  readonly fields: ReadonlyMap<string, SchemaField>;
  readonly atomic: boolean;
  /** Keys that are not listed are kept by the server as they come. */
  readonly open: boolean;
  /** A type of Kubernetes itself: a field that is null is stored as absent. A custom resource may keep the null. */
  readonly builtIn: boolean;
}

export interface SchemaField {
  readonly schema: Schema;
  /** What the server fills in where nothing is given. */
  readonly default?: Json;
  /** The value that is stored as nothing. */
  readonly zero?: false | 0 | '';
}
