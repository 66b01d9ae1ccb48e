import { createHash } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import type { SourceFile } from '../../model/index.ts';
import type { Log } from '../../telemetry/index.ts';
import { createFolderNotices } from './folder-notices.ts';
import { listApplications, type ByFile, type FileContent, type FileListing, type ParsedFile } from './list-applications.ts';
import { readFiles, type FileReading, type FilesReading } from './read-files.ts';

export type ApplicationListing =
  | ({ readonly type: 'listed' } & FileListing)
  /** What was listed before is still what is wanted. */
  | { readonly type: 'unreadable'; readonly message: string };

export interface ApplicationFilesOptions {
  /** A file, or a folder with files. */
  readonly path: string;
  /** One file as kubectl reads it. A file that it throws at counts as one that cannot be read. */
  readonly parse: (file: SourceFile) => ParsedFile | Promise<ParsedFile>;
  /** Told what there is, and again whenever that has changed. */
  readonly onChange: (listing: ApplicationListing) => void;
  readonly log: Pick<Log, 'error'>;
  /** Calls back once after the delay, unless the function it returns is called first. */
  readonly setTimer?: (callback: () => void, delayMs: number) => () => void;
  /** How long to wait for more after a change: those who write files often write several. */
  readonly settleMs?: number;
  /** How often to look where no change was noticed. */
  readonly pollMs?: number;
}

export interface ApplicationFiles {
  /** Looks now. Ends when what is there has been told. */
  look(): Promise<void>;
  /** Nothing is told afterwards. */
  close(): Promise<void>;
}

export function watchApplicationFiles(options: ApplicationFilesOptions): ApplicationFiles {
  const { onChange, log, setTimer = setSystemTimer, settleMs = 100, pollMs = 10_000 } = options;
  const path = resolve(options.path);
  let byFile: ByFile = new Map();
  let told: string | undefined;
  const closing = new AbortController();
  let underWay: Promise<void> | undefined;
  let isWanted = false;
  let cancelPoll: (() => void) | undefined;
  let cancelSettling: (() => void) | undefined;

  const noticed = (): void => {
    // Not put off by what follows: who writes all the time must not keep us from looking.
    cancelSettling ??= setTimer(() => {
      cancelSettling = undefined;
      void look();
    }, settleMs);
  };
  // Whatever is at the path, its own folder tells when something else takes its place.
  const inside = createFolderNotices({ folder: path, changed: noticed });
  const beside = createFolderNotices({ folder: dirname(path), changed: (name) => (name === null || name === basename(path) || name.startsWith('..') ? noticed() : undefined) });

  const lookOnce = async (): Promise<void> => {
    // Before the files are read: what changes afterwards is noticed.
    beside.renew();
    inside.renew();
    const reading = await readFiles(path);
    const digest = digestOf(reading);
    if (closing.signal.aborted || digest === told) return;
    if (reading.type === 'unreadable') {
      onChange(reading);
    } else {
      const files = await Promise.all(reading.files.map((file) => parseFile(file, options.parse)));
      if (closing.signal.aborted) return;
      const { listing, byFile: next } = listApplications(files, byFile);
      byFile = next;
      onChange({ type: 'listed', ...listing });
    }
    told = digest;
  };
  const lookUntilDone = async (): Promise<void> => {
    cancelPoll?.();
    while (isWanted && !closing.signal.aborted) {
      isWanted = false;
      await lookOnce().catch((error: unknown) => log.error('application files could not be taken in', { path, reason: String(error) }));
    }
    underWay = undefined;
    if (!closing.signal.aborted) cancelPoll = setTimer(() => void look(), pollMs);
  };
  const look = (): Promise<void> => {
    isWanted = true;
    underWay ??= lookUntilDone();
    return underWay;
  };

  void look();
  return {
    look,
    async close() {
      closing.abort();
      inside.close();
      beside.close();
      cancelSettling?.();
      cancelPoll?.();
      await underWay;
    },
  };
}

async function parseFile(file: FileReading, parse: ApplicationFilesOptions['parse']): Promise<FileContent> {
  if ('problem' in file) return file;
  const { name, content } = file;
  try {
    return { name, parsed: await parse({ path: name, content }) };
  } catch (error) {
    return { name, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The same while nothing has changed. */
function digestOf(reading: FilesReading): string {
  if (reading.type === 'unreadable') return reading.message;
  const hash = createHash('sha256');
  for (const file of reading.files) hash.update(JSON.stringify([file.name, 'problem' in file ? file.problem : null])).update('problem' in file ? '' : createHash('sha256').update(file.content).digest());
  return hash.digest('hex');
}

function setSystemTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
