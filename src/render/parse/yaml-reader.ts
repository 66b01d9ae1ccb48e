import { availableParallelism } from 'node:os';
import { isObject } from '../../model/index.ts';
import type { ContentCache } from '../content-cache.ts';
import { holdsSecret } from '../holds-secret.ts';
import { limits } from '../yaml/limits.ts';
import { parserVersion } from '../yaml/parser-version.ts';
import { createBatches } from './batches.ts';
import { readDocuments, type YamlContent } from './document-text.ts';
import { parseFile } from './parse-file.ts';
import { refusedFile } from './refused-file.ts';
import { createRoom } from './room.ts';
import { createTurns } from './turns.ts';
import { acceptText, createYamlPool, type FileText } from './yaml-pool.ts';

export interface YamlFile {
  /** The Git blob id: files of one id have one content. Undefined where there is none, as on the user's disk. */
  readonly id: string | undefined;
  readonly path: string;
  readonly content: () => Promise<Uint8Array>;
}

export interface YamlReader {
  /**
   * What each file holds, in the order given. A file that cannot be read in time or memory is one refused document with an error
   * finding. Rejects with what `content` threw, or the signal's reason.
   */
  read(files: readonly YamlFile[], signal: AbortSignal): Promise<readonly YamlContent[]>;
  close(): Promise<void>;
}

export interface YamlReaderOptions {
  /** How many threads may read at once. They are started when there is enough to do. */
  readonly workers?: number;
  /** For one file. */
  readonly deadlineMs?: number;
  /** What one thread may take of JavaScript's heap: 4 MiB of the hardest input we know take less than 400 MB. */
  readonly heapMb?: number;
  readonly idleMs?: number;
  readonly cache?: ContentCache;
  readonly on?: { parsed?(files: number): void };
}

interface Loaded {
  readonly position: number;
  readonly file: YamlFile;
  readonly content: Uint8Array;
}

const batchBytes = 256 * 1024;
const batchFiles = 256;
const lookUps = 64;
// A thread takes 100 ms and more to start: a few small files are read here before it is up. Without `&` there is no alias, and without
// aliases the time goes by the size.
const inline = { fileBytes: 4 * 1024, bytes: 48 * 1024, anchor: 0x26 };

export function createYamlReader(options: YamlReaderOptions = {}): YamlReader {
  const { workers = Math.min(2, availableParallelism()), deadlineMs = 10_000, heapMb = 512, idleMs = 30_000, cache, on } = options;
  const pool = createYamlPool({ threads: workers, deadlineMs, heapMb, idleMs });
  const room = createRoom(workers * 2);
  const turns = createTurns();
  let inlineLeft = inline.bytes;

  const isReadHere = (content: Uint8Array): boolean => {
    if (content.length > limits.fileBytes) return true;
    if (pool.isRunning()) inlineLeft = inline.bytes;
    else if (content.length <= Math.min(inline.fileBytes, inlineLeft) && !content.includes(inline.anchor)) {
      inlineLeft -= content.length;
      return true;
    }
    return false;
  };
  const lookUp = async ({ id }: YamlFile): Promise<YamlContent | undefined> => {
    const text = id === undefined ? undefined : await cache?.get(keyOf(id));
    // What cannot be read is from elsewhere, and is computed again.
    return text === undefined ? undefined : await turns.run((breathe) => readDocuments(text, breathe)).catch(() => undefined);
  };
  const accept = async ({ file: { id }, content }: Loaded, text: FileText): Promise<YamlContent> => {
    if (text.type === 'refused') return { documents: refusedFile(text.code, text.message), bytes: content.length };
    const read = await turns.run((breathe) => readDocuments(text.text, breathe));
    // As it was written, and as it was understood: it may be spelt oddly. A text or a list may be anything; null, as of what was refused, holds nothing.
    const mayBeKept = !holdsSecret(content) && !holdsSecret(text.text) && read.documents.every(({ value }) => value === null || isObject(value));
    if (id !== undefined && mayBeKept) cache?.put(keyOf(id), text.text);
    return read;
  };

  const readFiles = async (files: readonly YamlFile[], results: YamlContent[], signal: AbortSignal): Promise<void> => {
    const batches = createBatches<Loaded>({
      maxBytes: batchBytes,
      maxItems: batchFiles,
      signal,
      enter: () => room.enter(signal),
      read: async (batch) => {
        const texts = await pool.read(batch.map(({ content }) => content), signal);
        on?.parsed?.(batch.length);
        for (const [order, text] of texts.entries()) {
          const loaded = batch[order];
          if (loaded !== undefined) results[loaded.position] = await accept(loaded, text);
        }
      },
    });
    const readMissing = async (position: number, file: YamlFile): Promise<void> => {
      await batches.room();
      const loaded = { position, file, content: await file.content() };
      signal.throwIfAborted();
      if (!isReadHere(loaded.content)) return batches.add(loaded, loaded.content.length);
      const text = await turns.run(() => parseFile(loaded.content));
      on?.parsed?.(1);
      results[position] = await accept(loaded, acceptText(text));
    };
    try {
      for (let start = 0; start < files.length; start += lookUps) {
        const some = files.slice(start, start + lookUps);
        const known = await Promise.all(some.map(lookUp));
        for (const [order, file] of some.entries()) {
          const content = known[order];
          if (content === undefined) await readMissing(start + order, file);
          else results[start + order] = content;
        }
      }
      await batches.finish();
    } catch (error) {
      batches.abandon();
      throw error;
    }
  };

  return {
    read: async (files, signal) => {
      const results: YamlContent[] = [];
      await readFiles(files, results, signal);
      return results;
    },
    close: () => pool.close(),
  };
}

function keyOf(id: string): string {
  return `${parserVersion} ${id}`;
}
