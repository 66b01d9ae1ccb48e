import type { JsonObject } from './json.ts';
import type { ResourceKey } from './resource-key.ts';

export interface KubeObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: string; readonly namespace?: string };
}

/** A document as it was read, before the cluster said what its kind is. `origin` is `web/deploy.yaml#2`. */
export interface SourceDocument {
  readonly origin: string;
  readonly object: KubeObject;
}

/** A file that a source holds, by its path in the source. */
export interface SourceFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** Something wrong or odd in a source. An error keeps its document out of the comparison; a warning does not. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly origin: string;
  readonly message: string;
}

/** Whether every document of a source could be read: what is not among them is not wanted then. */
export function isWhole(findings: readonly Finding[]): boolean {
  return findings.every(({ severity }) => severity !== 'error');
}

/** An object as Git wants it. */
export interface Manifest {
  readonly key: ResourceKey;
  readonly object: KubeObject;
  readonly origin: string;
}

/** An object as the server last showed it. */
export interface LiveObject {
  readonly key: ResourceKey;
  readonly object: KubeObject;
  readonly resourceVersion: string;
}

/** What the server says of a kind. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
}
