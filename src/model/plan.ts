import type { ResourceKey } from './resource-key.ts';

/** One thing a sync does or, with its reason, refuses to do. */
export type Step =
  | { readonly type: 'apply'; readonly key: ResourceKey }
  | { readonly type: 'hold'; readonly key: ResourceKey; readonly why: string };

export type StepOutcome =
  | { readonly type: 'applied'; readonly key: ResourceKey }
  | { readonly type: 'held'; readonly key: ResourceKey; readonly why: string }
  | { readonly type: 'failed'; readonly key: ResourceKey; readonly why: string };
