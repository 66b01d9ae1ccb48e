import { createByteCache } from './byte-cache.ts';
import { CorruptError } from './corrupt.ts';
import { applyDelta, readDelta } from './delta.ts';
import { readLooseObject } from './loose-object.ts';
import { idOfObject } from './object-id.ts';
import { createPackFolder, type Pack } from './pack-folder.ts';
import type { ObjectKind, PackEntry, Soon } from './pack-file.ts';
import { createPacer } from './pacer.ts';

export type ReadOutcome =
  | { readonly type: 'object'; readonly kind: ObjectKind; readonly content: Buffer }
  | { readonly type: 'too large'; readonly size: number }
  | { readonly type: 'missing' };

/** The objects of a repository on disk, packed or not. What is given back hashes to the id that was asked for. */
export interface ObjectStore {
  /** Throws `CorruptError` where the bytes are not what they must be. */
  read(id: string, maxBytes: number): Promise<ReadOutcome>;
  /** To be called when packs came. */
  refresh(): void;
  close(): Promise<void>;
}

const windowCacheBytes = 16 * 2 ** 20;
const baseCacheBytes = 16 * 2 ** 20;
// What an entry takes beside its content.
const bytesPerEntry = 256;
// Git itself makes chains of 50, or of 4,095 where told to.
const maxChain = 10_000;
// What a small file may be a delta of.
const maxBaseBytes = 64 * 2 ** 20;
/** How much may be put together for one object, over all steps of its chain. */
const maxWorkBytes = 2 ** 30;

interface Whole {
  readonly kind: ObjectKind;
  readonly content: Buffer;
}

interface Link {
  readonly key: number;
  readonly pack: Pack;
  readonly entry: PackEntry;
}

export function createObjectStore(objectsFolders: readonly string[]): ObjectStore {
  const windows = createByteCache<Buffer>(windowCacheBytes);
  const bases = createByteCache<Whole>(baseCacheBytes);
  const folder = createPackFolder(objectsFolders, windows);
  const pacer = createPacer();
  let turn: Promise<unknown> = Promise.resolve();
  let closed = false;
  let lastPack: Pack | undefined;

  /** One after the other: a thousand readers that all wait for the event loop would then all run in the same turn of it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work, work);
    turn = result.catch(() => undefined);
    return result;
  }

  async function locate(id: Buffer): Promise<{ readonly pack: Pack; readonly offset: number } | undefined> {
    const offset = lastPack?.find(id);
    if (lastPack !== undefined && offset !== undefined) return { pack: lastPack, offset };
    for (const pack of await folder.packs()) {
      const found = pack.find(id);
      if (found === undefined) continue;
      lastPack = pack;
      return { pack, offset: found };
    }
    return undefined;
  }

  async function readLoose(id: string, maxBytes: number): Promise<ReadOutcome> {
    for (const objects of objectsFolders) {
      const found = await readLooseObject(objects, id);
      if (found === undefined) continue;
      if (found.size > maxBytes) return { type: 'too large', size: found.size };
      return { type: 'object', kind: found.kind, content: await found.content() };
    }
    return { type: 'missing' };
  }

  /** Follows deltas down to something whole; gives that and the links to it, the one that was asked for first. */
  async function unwind(pack: Pack, offset: number, maxBytes: number): Promise<{ readonly links: readonly Link[]; readonly base: Whole | { readonly size: number } }> {
    const links: Link[] = [];
    let at: { readonly pack: Pack; readonly offset: number } = { pack, offset };
    for (;;) {
      if (links.length > maxChain) throw new CorruptError(`a chain of more than ${maxChain} deltas`);
      if (pacer.isDue()) await pacer.pause();
      const key = at.pack.keys + at.offset;
      const cached = bases.get(key);
      if (cached !== undefined) return { links, base: cached };
      const file = await at.pack.file();
      const said = file.entryAt(at.offset);
      const entry = said instanceof Promise ? await said : said;
      if (entry.size > (links.length === 0 ? maxBytes : Math.max(maxBytes, maxBaseBytes))) return { links, base: { size: entry.size } };
      if (entry.type === 'whole') {
        const base = { kind: entry.kind, content: await file.contentOf(entry) };
        return { links, base: keep(key, base) };
      }
      links.push({ key, pack: at.pack, entry });
      if (typeof entry.base === 'number') at = { pack: at.pack, offset: entry.base };
      else {
        const found = await locate(entry.base);
        if (found === undefined) return { links, base: await looseBase(entry.base.toString('hex')) };
        at = found;
      }
    }
  }

  async function looseBase(id: string): Promise<Whole | { readonly size: number }> {
    const found = await readLoose(id, maxBaseBytes);
    if (found.type === 'missing') throw new CorruptError(`a delta's base ${id} is not there`);
    return found.type === 'object' ? found : { size: found.size };
  }

  async function readPacked(pack: Pack, offset: number, maxBytes: number): Promise<ReadOutcome> {
    const { links, base } = await unwind(pack, offset, maxBytes);
    if (links.length === 0) {
      if (!('content' in base) || base.content.length > maxBytes) return { type: 'too large', size: 'content' in base ? base.content.length : base.size };
      return { type: 'object', ...base };
    }
    const [first] = links;
    const last = first === undefined ? Buffer.alloc(0) : await deltaOf(first);
    const size = readDelta(last).resultSize;
    if (size > maxBytes) return { type: 'too large', size };
    if (!('content' in base)) throw new CorruptError(`a delta has a base of ${base.size} bytes`);
    let whole = base;
    let work = 0;
    for (const link of links.toReversed()) {
      if (pacer.isDue()) await pacer.pause();
      const delta = link === first ? last : await deltaOf(link);
      const { resultSize } = readDelta(delta);
      work += resultSize;
      if (resultSize > Math.max(maxBytes, maxBaseBytes) || work > Math.max(maxWorkBytes, 4 * maxBytes)) throw new CorruptError('a chain of deltas makes too much of itself');
      whole = keep(link.key, { kind: whole.kind, content: await put(whole.content, delta) });
    }
    return { type: 'object', ...whole };
  }

  function keep(key: number, { kind, content }: Whole): Whole {
    const whole = { kind, content: outOfPool(content) };
    bases.set(key, whole, content.length + bytesPerEntry);
    return whole;
  }

  async function deltaOf({ pack, entry }: Link): Promise<Buffer> {
    return (await pack.file()).contentOf(entry);
  }

  function put(base: Buffer, delta: Buffer): Soon<Buffer> {
    const steps = applyDelta(base, delta);
    const first = steps.next();
    return first.done === true ? first.value : finish(steps);
  }

  async function finish(steps: Generator<void, Buffer>): Promise<Buffer> {
    for (;;) {
      if (pacer.isDue()) await pacer.pause();
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  async function find(id: string, maxBytes: number): Promise<ReadOutcome> {
    const found = await locate(Buffer.from(id, 'hex'));
    return found === undefined ? readLoose(id, maxBytes) : readPacked(found.pack, found.offset, maxBytes);
  }

  function refresh(): void {
    lastPack = undefined;
    folder.refresh();
  }

  async function read(id: string, maxBytes: number): Promise<ReadOutcome> {
    if (closed) throw new Error('the repository is closed');
    if (pacer.isDue()) await pacer.pause();
    let outcome = await find(id, maxBytes).catch((error: unknown) => {
      // Somebody has packed the repository anew: the file that the index was about is gone.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { type: 'missing' as const };
      throw error;
    });
    if (outcome.type === 'missing') {
      refresh();
      outcome = await find(id, maxBytes);
    }
    if (outcome.type === 'object' && (await idOfObject(outcome.kind, outcome.content, pacer)) !== id) throw new CorruptError(`object ${id} is not what its id says`);
    return outcome;
  }

  return {
    read: (id, maxBytes) => inTurn(() => read(id, maxBytes)),
    refresh,
    close: () =>
      inTurn(async () => {
        closed = true;
        windows.clear();
        bases.clear();
        await folder.close();
      }),
  };
}

/** Small buffers are parts of large ones: kept, each would hold on to tens of kilobytes. */
function outOfPool(content: Buffer): Buffer {
  if (content.buffer.byteLength <= content.length * 2) return content;
  const own = Buffer.allocUnsafeSlow(content.length);
  content.copy(own);
  return own;
}
