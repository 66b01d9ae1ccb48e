/** What became of a request to a receiver, and the status it is answered with. A bounded set: it is a label of a metric. */
export const statusOf = {
  accepted: 202,
  duplicate: 200,
  ignored: 200,
  ping: 200,
  malformed: 400,
  unauthorized: 401,
  unknown_receiver: 404,
  method: 405,
  incomplete: 408,
  too_large: 413,
  unsupported: 415,
  rate_limited: 429,
  failed: 500,
  unavailable: 503,
} as const;

export type HookResult = keyof typeof statusOf;

/** The reason is a sentence of ours and repeats nothing of the request. */
export interface Outcome {
  readonly result: HookResult;
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
