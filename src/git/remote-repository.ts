import { SetpointError } from '../model/index.ts';
import { openCopyFolder, type CopyFolder } from './copy/copy-folder.ts';
import type { Generation } from './copy/generation.ts';
import type { GitLimits, GitObserver, GitRepository, Snapshot } from './git-repository.ts';
import type { Fetched, Reference } from './remote/messages.ts';
import type { RemoteRepository } from './repository-url.ts';
import { checkRevision } from './revision.ts';
import { createSharedWork } from './shared-work.ts';
import { createGitTree } from './tree/git-tree.ts';
import { TooMuchError, type Deadlines, type GitWorker } from './worker-client.ts';

export interface RemoteOptions {
  readonly url: string;
  /** Asked each time: credentials change. */
  readonly locate: () => Promise<RemoteRepository>;
  readonly folder: string;
  readonly worker: GitWorker;
  readonly limits: GitLimits;
  readonly deadlines: Deadlines;
  readonly on: GitObserver;
}

interface Brought {
  readonly generation: Generation;
  readonly hold: Disposable;
  readonly commit: string;
  readonly root: string;
}

// Below this a copy may double as often as it likes.
const smallBytes = 4 * 2 ** 20;

/** A copy on disk of a repository on a server. */
export function createRemoteRepository({ url, locate, folder, worker, limits, deadlines, on }: RemoteOptions): GitRepository {
  const listings = createSharedWork((reference: Reference) => reference);
  const pulls = createSharedWork(snapshotOf, ({ hold }: Brought) => hold[Symbol.dispose]());
  let opening: Promise<CopyFolder> | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  /** One fetch at a time into one folder. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work, work);
    turn = result.catch(() => undefined);
    return result;
  }

  function copyFolder(): Promise<CopyFolder> {
    opening ??= openCopyFolder({ folder, url }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function list(revision: string, signal: AbortSignal): Promise<Reference> {
    const meant = checkRevision(revision);
    if (meant.type === 'commit') return { name: meant.oid, id: meant.oid, commit: meant.oid };
    return listings.join(revision, signal, async (shared) => {
      const started = performance.now();
      const reference = await worker.list({ repository: await locate(), revision, names: meant.names }, { signal: shared, deadlines });
      on.listed?.({ ms: performance.now() - started });
      return reference;
    });
  }

  function snapshotOf({ generation, commit, root }: Brought): Snapshot {
    const hold = generation.hold();
    return { commit, tree: createGitTree({ objects: generation.objects, commit, root, maxFileBytes: limits.fileBytes }), [Symbol.dispose]: () => hold[Symbol.dispose]() };
  }

  async function bring(reference: Reference, signal: AbortSignal): Promise<Brought> {
    try {
      signal.throwIfAborted();
      const copy = await copyFolder();
      return (await use(copy, reference, signal)) ?? (await renew(copy, reference, signal));
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (error instanceof SetpointError || syscall === undefined) throw error;
      throw new SetpointError('Internal', `the copy of ${url} cannot be kept in ${folder}: ${code ?? syscall}`, { cause: error });
    }
  }

  /** What the copy that is there can do; undefined where only a new one can. */
  async function use(copy: CopyFolder, reference: Reference, signal: AbortSignal): Promise<Brought | undefined> {
    const current = copy.current();
    if (current === undefined || current.generation.isBroken()) return undefined;
    const { generation, pointer } = current;
    try {
      const here = await found(generation, reference.id);
      if (here !== undefined) {
        if (pointer.references[reference.name] !== here.commit) await copy.commit(generation, { ...pointer, references: { ...pointer.references, [reference.name]: here.commit } });
        return held(generation, here);
      }
      if (generation.isBroken() || (await isWornOut(generation, pointer.firstBytes))) return undefined;
      return await add(copy, reference, signal);
    } catch (error) {
      // Somebody has emptied the folder.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async function isWornOut(generation: Generation, firstBytes: number): Promise<boolean> {
    const { packs, bytes } = await generation.size();
    return packs >= limits.packs || bytes > Math.max(smallBytes, 2 * firstBytes);
  }

  /** Fetches into the copy that is there; undefined where a new one is cheaper, or the only way. */
  async function add(copy: CopyFolder, reference: Reference, signal: AbortSignal): Promise<Brought | undefined> {
    const current = copy.current();
    if (current === undefined) return undefined;
    const { generation, pointer } = current;
    const have = pointer.references[reference.name];
    // A history that was rewritten comes with all of its past: never more of it than a new copy would cost.
    const maxBytes = have === undefined ? limits.fetchBytes : Math.min(limits.fetchBytes, Math.max(smallBytes, pointer.firstBytes));
    await generation.tidy();
    let fetched: Fetched;
    try {
      fetched = await fetch(generation, { reference, have, shallow: pointer.shallow, maxBytes }, signal);
    } catch (error) {
      // Half a pack on a disk that may be full.
      await generation.tidy().catch(() => undefined);
      if (error instanceof TooMuchError && have !== undefined) return undefined;
      throw tooLarge(error);
    }
    const here = await found(generation, reference.id);
    if (here === undefined) return undefined;
    const firstBytes = pointer.firstBytes + (have === undefined ? fetched.bytes : 0);
    await copy.commit(generation, { firstBytes, shallow: fetched.shallow, references: { ...pointer.references, [reference.name]: here.commit } });
    return held(generation, here);
  }

  /** A new copy with this one reference. The old one stays what counts until the new one is whole. */
  async function renew(copy: CopyFolder, reference: Reference, signal: AbortSignal): Promise<Brought> {
    const generation = await copy.begin();
    try {
      const fetched = await fetch(generation, { reference, have: undefined, shallow: [], maxBytes: limits.fetchBytes }, signal);
      const here = await generation.find(reference.id);
      if (here === undefined) throw missing(reference);
      await copy.commit(generation, { firstBytes: fetched.bytes, shallow: fetched.shallow, references: { [reference.name]: here.commit } });
      return held(generation, here);
    } catch (error) {
      generation.retire();
      throw tooLarge(error);
    }
  }

  interface Wanted {
    readonly reference: Reference;
    readonly have: string | undefined;
    readonly shallow: readonly string[];
    readonly maxBytes: number;
  }

  async function fetch({ gitDir, settle }: Generation, { reference, have, shallow, maxBytes }: Wanted, signal: AbortSignal): Promise<Fetched> {
    const started = performance.now();
    const fetched = await worker.fetch({ repository: await locate(), gitDir, want: reference.id, have, shallow, maxBytes }, { signal, deadlines });
    await settle();
    on.fetched?.({ type: have === undefined ? 'first' : 'incremental', bytes: fetched.bytes, ms: performance.now() - started });
    return fetched;
  }

  function tooLarge(error: unknown): unknown {
    if (!(error instanceof TooMuchError)) return error;
    return new SetpointError('SourceTooLarge', `${url} sends more than ${limits.fetchBytes} bytes, which is the limit for one fetch: split the repository, or raise the limit`);
  }

  function missing({ name, commit }: Reference): SetpointError {
    if (name === commit) return new SetpointError('RevisionNotFound', `${url} has no commit ${name}, or does not give it away: check --revision`);
    return new SetpointError('RepositoryInvalid', `${url} did not send the commit that its ${name} stands for`);
  }

  /** Broken copies have nothing; what is wrong with them is told by the new one. */
  async function found(generation: Generation, id: string): ReturnType<Generation['find']> {
    return generation.find(id).catch((error: unknown) => {
      if (generation.isBroken()) return undefined;
      throw error;
    });
  }

  return {
    url,
    resolve: async (revision, signal) => (await list(revision, signal)).commit,
    async pull(revision, signal) {
      const reference = await list(revision, signal);
      return pulls.join(`${reference.name} ${reference.id}`, signal, (shared) => inTurn(() => bring(reference, shared)));
    },
    async close() {
      await turn;
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

function held(generation: Generation, { commit, root }: { readonly commit: string; readonly root: string }): Brought {
  return { generation, commit, root, hold: generation.hold() };
}
