import { mkdirSync, watch, type FSWatcher } from 'node:fs';
import { canonicalJson, type Json } from '../model/index.ts';
import { controlsFolder, readControls, type Control } from './controls.ts';

export interface ControlsWatchOptions {
  /** Told what there is, and again whenever that has changed. */
  readonly onChange: (controls: ReadonlyMap<string, Control>) => void;
  /** Told when the folder cannot be read: what was told before still holds. */
  readonly onProblem?: (error: Error) => void;
  /** Calls back once after the delay, unless the function it returns is called first. */
  readonly setTimer?: (callback: () => void, delayMs: number) => () => void;
  /** How often to look where no change was noticed: not all file systems tell of one. */
  readonly pollMs?: number;
}

/** Nothing is told after `close`. */
export function watchControls(folder: string, { onChange, onProblem, setTimer = setSystemTimer, pollMs = 5000 }: ControlsWatchOptions): { close(): void } {
  const closing = new AbortController();
  let told: string | undefined;
  let underWay = false;
  let isWanted = false;
  let cancelPoll = (): void => undefined;
  let watcher: FSWatcher | undefined;

  const renew = (): void => {
    if (watcher !== undefined) return;
    try {
      // A folder that is there can be watched, and the agent owns the place.
      mkdirSync(controlsFolder(folder), { recursive: true, mode: 0o700 });
      watcher = watch(controlsFolder(folder), look);
      watcher.on('error', stopNotices);
    } catch {
      stopNotices();
    }
  };
  const stopNotices = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  const lookOnce = async (): Promise<void> => {
    const controls = await readControls(folder);
    const digest = canonicalJson([...controls] as unknown as Json);
    if (closing.signal.aborted || digest === told) return;
    told = digest;
    onChange(controls);
  };
  const lookUntilDone = async (): Promise<void> => {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false;
      renew();
      await lookOnce().catch((error: unknown) => {
        // It may be another folder by the same name.
        stopNotices();
        if (!closing.signal.aborted) onProblem?.(error instanceof Error ? error : new Error(String(error)));
      });
    }
    underWay = false;
    if (!closing.signal.aborted) cancelPoll = setTimer(look, pollMs);
  };
  function look(): void {
    isWanted = true;
    if (underWay || closing.signal.aborted) return;
    underWay = true;
    cancelPoll();
    void lookUntilDone();
  }

  look();
  return {
    close() {
      closing.abort();
      cancelPoll();
      stopNotices();
    },
  };
}

function setSystemTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
