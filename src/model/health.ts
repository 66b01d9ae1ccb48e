/** From best to worst is another order: see `health/`. */
export type HealthStatus = 'Healthy' | 'Suspended' | 'Progressing' | 'Missing' | 'Degraded' | 'Unknown';

export interface Health {
  readonly status: HealthStatus;
  /** Why, as a person would say it: an image that cannot be pulled, a pod that fits nowhere. Never a value of an object. */
  readonly message?: string;
  /** It is Degraded for no other reason than that it makes progress for longer than it may. */
  readonly isOverdue?: true;
}

/** What somebody says of a kind, as CEL expressions over `object` and `now`. */
export interface HealthRule {
  /** `cert-manager.io/Certificate`, or `Certificate` of any group. */
  readonly kind: string;
  readonly healthy?: string;
  readonly progressing?: string;
  readonly degraded?: string;
  readonly suspended?: string;
  /** An expression too: it gives the text. */
  readonly message?: string;
}
