/** From best to worst is another order: see `health/`. */
export type HealthStatus = 'Healthy' | 'Suspended' | 'Progressing' | 'Missing' | 'Degraded' | 'Unknown';

export interface Health {
  readonly status: HealthStatus;
  /** Why, as a person would say it: an image that cannot be pulled, a pod that fits nowhere. Never a value of an object. */
  readonly message?: string;
}
