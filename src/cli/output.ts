import picocolors from 'picocolors';

export type Colors = ReturnType<typeof picocolors.createColors>;

export interface Output {
  /** Data. A reader that has gone (`| head`) is no error: what is left is not printed, and the verdict stands. */
  write(text: string): void;
  colors(choice: 'auto' | 'always' | 'never'): Colors;
  /** Aborted when the reader has gone: for those who print for as long as somebody reads. */
  readonly readerGone: AbortSignal;
}

export function createOutput(process: NodeJS.Process): Output {
  const { stdout, env } = process;
  const reader = new AbortController();
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    reader.abort();
  });
  return {
    readerGone: reader.signal,
    write(text) {
      if (!reader.signal.aborted) stdout.write(text);
    },
    colors(choice) {
      const forced = isSet(env['FORCE_COLOR']) || isSet(env['CLICOLOR_FORCE']);
      const auto = forced || (stdout.isTTY && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb');
      return picocolors.createColors(choice === 'always' || (choice === 'auto' && auto));
    },
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0';
}
