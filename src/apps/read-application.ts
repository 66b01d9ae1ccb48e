import { cascadeFinalizer, isList, isObject, valueAt, type ApplicationSpec, type Json, type JsonObject } from '../model/index.ts';
import { durationMs } from './duration.ts';
import { readBlock } from './fields/read-block.ts';
import { specField } from './fields/spec-field.ts';
import { nameOddities } from './name-oddities.ts';
import { readMute, readPause, readRefresh, readReplay, readSyncRequest, readTerminate } from './read-annotations.ts';
import { readDestination } from './read-destination.ts';
import { otherKind, readIdentity, type Identity } from './read-identity.ts';
import { readNamespaceMetadata } from './read-namespace-metadata.ts';
import { readPolicy } from './read-policy.ts';
import { readRetry } from './read-retry.ts';
import { readSources } from './read-sources.ts';
import { readSyncOptions } from './read-sync-options.ts';
import { readSyncWindows } from './read-sync-windows.ts';
import { collectReport, type CollectedReport } from './report.ts';
import { repositoryUrl } from './repository-url.ts';

export type ReadApplication =
  | { readonly type: 'application'; readonly spec: ApplicationSpec }
  /** Everything that is wrong with it: each time the path of the field, what is wanted there, and what kind of thing is there. `id` where the document has one. */
  | { readonly type: 'invalid'; readonly id: string | undefined; readonly messages: readonly string[] };

interface ReadOptions {
  /** Whether sources may be on the disk of the agent. */
  readonly localRepositories?: 'allowed' | 'refused';
}

/** One Application, ours or Argo CD's. Never throws: its mistakes are its own. */
export function readApplication(document: Json, { localRepositories = 'refused' }: ReadOptions = {}): ReadApplication {
  const other = otherKind(document);
  if (other !== undefined || !isObject(document)) return { type: 'invalid', id: undefined, messages: [other ?? 'an Application is wanted'] };
  const report = collectReport();
  const identity = readIdentity(document, report);
  try {
    return readDocument(document, { ...identity, local: localRepositories }, report);
  } catch {
    // Only of values that are nested deeper than they can be written down again.
    return { type: 'invalid', id: identity.id, messages: ['the Application cannot be read: it is nested too deeply'] };
  }
}

interface Place extends Identity {
  readonly local: 'allowed' | 'refused';
}

function readDocument(document: JsonObject, { id, name, namespace, metadata, local }: Place, report: CollectedReport): ReadApplication {
  const written = document['spec'] ?? {};
  if (!isObject(written)) report.mistake('spec', 'a map is wanted, got something else');
  const spec = readBlock(isObject(written) ? written : {}, { at: 'spec', field: specField }, report);
  const repository = (url: string, at: string): string => repositoryUrl(url, { at, local }, report);
  const syncOptions = readSyncOptions((valueAt(spec, ['syncPolicy', 'syncOptions']) ?? []) as readonly string[], 'spec.syncPolicy.syncOptions', report);
  const read = {
    sources: isObject(written) ? readSources({ written, values: spec, repository }, report) : [],
    destination: readDestination(spec, report),
    policy: readPolicy(spec, report),
    ignoreRules: isList(spec['ignoreDifferences']) ? spec['ignoreDifferences'] : [],
    retry: readRetry(spec, report),
    syncOptions,
    namespaceMetadata: readNamespaceMetadata(spec, syncOptions, report),
    syncTimeoutMs: durationAt(spec, ['syncPolicy', 'timeout']),
    syncWindows: readSyncWindows(spec),
    deletionPolicy: spec['deletionPolicy'] === 'Cascade' ? 'Cascade' : 'Orphan',
    pause: readPause(metadata['annotations'], report),
    refresh: readRefresh(metadata['annotations']),
    sync: readSyncRequest(metadata, report),
    terminate: readTerminate(metadata['annotations']),
    mute: readMute(metadata['annotations'], report),
    replay: readReplay(metadata['annotations'], report),
    intervalMs: durationAt(spec, ['interval']),
    deleting: metadata['deletionTimestamp'] !== undefined,
    isHeld: isList(metadata['finalizers']) && metadata['finalizers'].includes(cascadeFinalizer),
  } as const;
  nameOddities(document, { metadata, spec }, report);
  const messages = report.mistakes();
  if (messages.length > 0 || id === undefined) return { type: 'invalid', id, messages };
  const { uid, generation, labels = {} } = metadata as { uid?: string; generation?: number; labels?: Readonly<Record<string, string>> };
  return { type: 'application', spec: { id, name, namespace, uid, generation, labels, ...read, warnings: report.warnings() } };
}

function durationAt(spec: JsonObject, path: readonly string[]): number | undefined {
  const text = valueAt(spec, path);
  return typeof text === 'string' ? durationMs(text) : undefined;
}
