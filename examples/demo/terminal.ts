// What the demo prints: plain lines, and colours only where the terminal has them.
import pc from 'picocolors';

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function note(text: string): void {
  say(pc.dim(text));
}

export function done(text: string): void {
  say(`${pc.green('✓')} ${text}`);
}

/** A step of the story: what happens next, in one sentence. */
export function createSteps(): (text: string) => void {
  let number = 0;
  return (text) => {
    number += 1;
    say(`\n${pc.cyan(`${number}.`)} ${pc.bold(text)}`);
  };
}

export function showCommand(line: string): void {
  say(`${pc.dim('$')} ${line}`);
}

/** A text that came from elsewhere, set off from our own. */
export function quote(title: string, lines: readonly string[]): void {
  say([`  ${pc.dim('┌')} ${pc.dim(title)}`, ...lines.map((line) => `  ${pc.dim('│')} ${line}`)].join('\n'));
}
