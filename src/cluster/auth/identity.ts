/** Who we are to the server: by a header, by a certificate, by both or not at all. */
export interface Identity {
  readonly authorization?: string;
  readonly certificate?: ClientCertificate;
}

export interface ClientCertificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/**
 * Something that others rotate while we run. The same object for as long as it has not changed. `refused` is what the server
 * has just rejected: something else is wanted in its place, if there is anything else.
 */
export type Source<T> = (refused?: T) => Promise<T>;

export function fixed<T>(value: T): () => Promise<T> {
  return () => Promise.resolve(value);
}
