import type { Health, KubeObject } from '../model/index.ts';

/** What a kind's own rule says of an object, before deadlines and pods are looked at. */
export interface Assessment extends Health {
  /** Since when it is Progressing, where the object itself tells. */
  readonly since?: string | undefined;
  /** `never`: it may take as long as it takes, or keeps a deadline of its own. */
  readonly overdue?: 'never';
}

export type Assess = (object: KubeObject, pods: readonly KubeObject[]) => Assessment;
