/** What an application does about a difference: tell, or make the cluster equal to Git. */
export type Mode = 'alert' | 'auto';

export interface Application {
  readonly name: string;
  readonly source: {
    /** Never holds credentials. */
    readonly repository: string;
    readonly revision: string;
    readonly path: string;
  };
  /** The namespace of documents that name none. */
  readonly namespace: string;
  readonly mode: Mode;
}
