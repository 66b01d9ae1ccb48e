import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const golden = join(import.meta.dirname, 'golden');
const helpOf = (name: string): string => readFileSync(join(golden, `help-${name}.txt`), 'utf8').trimEnd();
const recorded = globSync('help-*.txt', { cwd: golden })
  .map((file) => basename(file, '.txt').slice('help-'.length))
  .toSorted();
const [, listed = ''] = helpOf('setpoint').split('\nCommands:\n');
const verbs = [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, verb = '']) => verb).filter((verb) => verb !== 'help');

const section = (name: string): string => `## ${name === 'setpoint' ? name : `setpoint ${name.replace('-', ' ')}`}\n\n\`\`\`text\n${helpOf(name)}\n\`\`\`\n`;

test('the help of every command is on record', () => {
  expect(verbs.length).toBeGreaterThan(10);
  expect(recorded.filter((name) => !name.includes('-') && name !== 'setpoint')).toEqual(verbs.toSorted());
});

// Made anew, as the recorded help is, by vitest run --project surface -u
test('docs/cli.md is what the commands say of themselves', async () => {
  const names = ['setpoint', ...verbs.flatMap((verb) => [verb, ...recorded.filter((name) => name.startsWith(`${verb}-`))])];
  const intro = '# Commands\n\nWhat `--help` prints. Made from the program; exit codes mean the same everywhere: 1 is drift, and nothing else.\n';
  await expect([intro, ...names.map(section)].join('\n')).toMatchFileSnapshot('../../docs/cli.md');
});
