import type { ChangeStep, FieldOwner, Health, Json, KubeObject, ServedKind } from '../../model/index.ts';
import type { Log } from '../../telemetry/index.ts';
import { createPacker, type Packed } from './packed-object.ts';
import { compareVersions, noVersion, resourceVersionOf } from './resource-version.ts';

/** What changed between two sights of one object, and who wrote it. */
export interface ChangeDescription {
  readonly writers: readonly FieldOwner[];
  readonly paths: readonly string[];
}

/** The last sight of one object. There is one for each object that matters, so every field counts. */
export interface Sight {
  /** Of the last write that was seen, its deletion included: nothing older is taken in any more. */
  readonly version: string;
  /** Undefined where there is no such object. */
  readonly content: SeenContent | undefined;
}

export interface SeenContent {
  readonly uid: string;
  readonly digest: string;
  /** One value for all that are well and have nothing to say. */
  readonly health: Health | undefined;
  readonly packed: Packed;
  readonly journal: Packed | undefined;
}

export interface Sightings {
  /** After the server showed the object: what it showed before, if that is as new. */
  see(sight: Sight, object: KubeObject, notBefore?: Date): Sight;
  /** After the object was gone at a version. */
  lose(sight: Sight, version: string): Sight;
  objectOf(content: SeenContent): KubeObject;
  journalOf(content: SeenContent): readonly ChangeStep[];
}

export interface SightingOptions {
  /** The same for objects that need not be told apart. */
  readonly digest: (object: KubeObject, kind: ServedKind) => string;
  readonly describeChange: (before: KubeObject, after: KubeObject) => ChangeDescription;
  readonly healthOf?: (object: KubeObject) => Health;
  readonly now: () => Date;
  readonly log: Pick<Log, 'error'>;
}

const longestJournal = 20;
const mostPaths = 50;

const well: Health = { status: 'Healthy' };

export const unseen: Sight = { version: noVersion, content: undefined };

/** Whether it is another object than before, or one with another digest or another health. */
export function isNews(before: Sight, after: Sight): boolean {
  return before.content?.uid !== after.content?.uid || before.content?.digest !== after.content?.digest || before.content?.health?.status !== after.content?.health?.status;
}

/** For objects of one kind: they are packed together. */
export function createSightings(kind: ServedKind, { digest, describeChange, healthOf, now, log }: SightingOptions): Sightings {
  const objects = createPacker();
  const journals = createPacker();
  const objectOf: Sightings['objectOf'] = ({ packed }) => objects.unpack(packed) as KubeObject;
  const journalOf: Sightings['journalOf'] = ({ journal }) => (journal === undefined ? [] : (journals.unpack(journal) as unknown as readonly ChangeStep[]));

  const digestOf = (object: KubeObject): string => {
    try {
      return digest(object, kind);
    } catch (error) {
      log.error('an object could not be hashed', { kind: kind.kind, name: object.metadata.name, reason: String(error) });
      // Unlike every other: what cannot be compared is looked at.
      return `version ${resourceVersionOf(object)}`;
    }
  };
  const judge = (object: KubeObject): Health | undefined => {
    try {
      const health = healthOf?.(object);
      return health?.status === 'Healthy' && health.message === undefined ? well : health;
    } catch (error) {
      log.error('the health of an object could not be told', { kind: kind.kind, name: object.metadata.name, reason: String(error) });
      return undefined;
    }
  };
  const describe = (before: KubeObject, after: KubeObject): ChangeDescription => {
    try {
      return describeChange(before, after);
    } catch (error) {
      log.error('a change could not be described', { kind: kind.kind, name: after.metadata.name, reason: String(error) });
      return { writers: [], paths: [] };
    }
  };
  const journalWith = (before: SeenContent, object: KubeObject, notBefore: Date | undefined): Packed | undefined => {
    const { writers, paths } = describe(objectOf(before), object);
    if (writers.length === 0 && paths.length === 0) return before.journal;
    const step: ChangeStep = {
      resourceVersion: resourceVersionOf(object),
      seenAt: now().toISOString(),
      ...(notBefore === undefined ? {} : { notBefore: notBefore.toISOString() }),
      writers,
      paths: paths.slice(0, mostPaths),
    };
    return journals.pack([...journalOf(before), step].slice(-longestJournal) as unknown as Json);
  };

  return {
    see(sight, object, notBefore) {
      const version = resourceVersionOf(object);
      const order = compareVersions(version, sight.version);
      if (order !== undefined && order <= 0) return sight;
      const uid = typeof object.metadata['uid'] === 'string' ? object.metadata['uid'] : '';
      // Another uid is another object by the same name: what happened to the first is not its history.
      const before = sight.content?.uid === uid ? sight.content : undefined;
      const journal = before === undefined ? undefined : journalWith(before, object, notBefore);
      return { version, content: { uid, digest: digestOf(object), health: judge(object), packed: objects.pack(object), journal } };
    },
    lose(sight, version) {
      const order = compareVersions(version, sight.version);
      return order !== undefined && order < 0 ? sight : { version, content: undefined };
    },
    objectOf,
    journalOf,
  };
}
