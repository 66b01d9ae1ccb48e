import picocolors from 'picocolors';

export type Colors = ReturnType<typeof picocolors.createColors>;

export interface Output {
  /** Data. A reader that has gone (`| head`) is no error: what is left is not printed, and the verdict stands. */
  write(text: string): void;
  colors(choice: 'auto' | 'always' | 'never'): Colors;
}

export function createOutput(process: NodeJS.Process): Output {
  const { stdout, env } = process;
  let readerGone = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    readerGone = true;
  });
  return {
    write(text) {
      if (!readerGone) stdout.write(text);
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
