import type { GoScalar } from './go-scalars.ts';

/** A document as Go's YAML decoder holds it, before it becomes JSON. */
export type GoValue = GoScalar | GoList | GoMap;

interface GoList {
  readonly kind: 'list';
  readonly items: readonly GoValue[];
}

interface GoMap {
  readonly kind: 'map';
  readonly entries: readonly GoEntry[];
}

export interface GoEntry {
  readonly key: GoScalar;
  readonly value: GoValue;
  /** The key as it is written, and where. */
  readonly text: string;
  readonly offset: number;
}
