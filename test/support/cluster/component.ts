// One child process of the control plane: its log file, a wait that fails when it dies, and its end.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const startDeadlineMs = 60_000;

export interface Component {
  until(what: string, condition: () => Promise<boolean>): Promise<void>;
  lastLines(count: number): Promise<string>;
  kill(): Promise<void>;
}

interface ComponentOptions {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly args: readonly string[];
  readonly logFile: string;
}

export function startComponent({ name, command, args, logFile }: ComponentOptions): Component {
  const [file, ...leading] = command;
  const log = openSync(logFile, 'a');
  // Servers that come and go have memory to spare and share the cores with what is tested: they collect garbage less often.
  const child = spawn(file, [...leading, ...args], { stdio: ['ignore', log, log], env: { GOGC: '400', ...process.env } });
  closeSync(log);
  let failure: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      failure = error;
      resolve();
    });
    child.once('exit', (code, signal) => {
      failure ??= new Error(`${name} ended with ${signal ?? `code ${code}`}`);
      resolve();
    });
  });
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  return {
    async until(what, condition) {
      const deadline = Date.now() + startDeadlineMs;
      while (!(await condition())) {
        if (failure !== undefined) throw failure;
        if (Date.now() > deadline) throw new Error(`${name}: waited ${startDeadlineMs / 1000} s until ${what}`);
        await sleep(50);
      }
    },
    async lastLines(count) {
      const text = await readFile(logFile, 'utf8');
      return `--- ${name}\n${text.trimEnd().split('\n').slice(-count).join('\n')}`;
    },
    async kill() {
      process.removeListener('exit', killNow);
      killNow();
      await ended;
    },
  };
}
