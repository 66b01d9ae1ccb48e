/** A condition of an Application, as Kubernetes writes them. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word. */
  readonly reason: string;
  readonly message: string;
  /** When `status` last became another one. */
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** As Kubernetes writes times. */
export function wholeSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
