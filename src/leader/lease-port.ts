/** What a lease says of its holder. Times are for people and to tell one renewal from another; nobody here compares them. */
export interface LeaseClaim {
  /** Empty: nobody, it was released. */
  readonly holder: string;
  /** How many terms there have been. */
  readonly transitions: number;
  readonly durationSeconds: number;
  readonly renewTime: string;
  readonly acquireTime: string;
}

export interface LeaseRecord extends LeaseClaim {
  /** Another one after every write, whoever made it. */
  readonly version: string;
}

export type Written =
  | { readonly type: 'written'; readonly record: LeaseRecord }
  /** Somebody was quicker; nothing was changed. */
  | { readonly type: 'conflict' };

/** Throws where it is not known what became of the request: it may have been carried out, and may be even later. */
export interface LeasePort {
  /** Undefined: the server says that there is none. */
  read(signal: AbortSignal): Promise<LeaseRecord | undefined>;
  /** Conflict where there is one already. */
  create(claim: LeaseClaim, signal: AbortSignal): Promise<Written>;
  /** Conflict where the lease has no longer this version, or is gone. */
  update(record: LeaseRecord, signal: AbortSignal): Promise<Written>;
}
