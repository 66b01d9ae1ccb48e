import { spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Argument, Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { candidates } from '../../../src/cli/completion-candidates.ts';
import { complete } from '../../../src/cli/completion.ts';
import { completionScripts } from '../../../src/cli/completion-scripts.ts';
import { openStateFolder } from '../../../src/status/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function program(): Command {
  const status = new Command('status')
    .aliases(['ls'])
    .description('tell')
    .argument('[app]')
    .option('-A, --all-namespaces', 'all')
    .addOption(new Option('-o, --output <format>').choices(['json', 'yaml', 'name']))
    .option('--state [folder]', 'elsewhere')
    .option('-n, --namespace <name>', 'where')
    .addOption(new Option('--set <pair>', 'a value (repeatable)'))
    .addOption(new Option('--secret').hideHelp());
  const diff = new Command('diff').option('-f, --filename <path>').argument('[path]');
  const completion = new Command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh']));
  const config = new Command('config').addCommand(new Command('view').option('--origin', 'why')).addCommand(new Command('check').argument('<file>'));
  const root = new Command('setpoint').option('-V, --version', 'the version');
  const rollback = new Command('rollback').argument('<app>').argument('[sync]');
  const alerts = new Command('alerts').addCommand(new Command('test').argument('[dest]').option('--config <file>')).addCommand(new Command('replay').argument('<id>'));
  for (const command of [status, diff, completion, config, rollback, alerts]) root.addCommand(command);
  return root;
}

const words = (...typed: readonly string[]): readonly string[] => {
  const completion = candidates(program(), typed);
  return completion.type === 'words' ? completion.words.map(({ word }) => word) : [completion.type];
};

describe('candidates', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['commands', [''], ['status', 'diff', 'completion', 'config', 'rollback', 'alerts']],
    ['commands that begin so', ['co'], ['completion', 'config']],
    ['commands of a command', ['config', ''], ['view', 'check']],
    ['flags of the program', ['-'], ['--version', '-V', '--help']],
    ['flags', ['status', '--'], ['--all-namespaces', '--output', '--state', '--namespace', '--set', '--help']],
    ['flags of a command of a command', ['config', 'view', '--o'], ['--origin']],
    ['flags under an alias', ['ls', '--out'], ['--output']],
    ['a flag that was given not again', ['status', '-A', '--al'], []],
    ['a flag that was given by its long name not by its short one', ['status', '--output', 'json', '-o'], []],
    ['a flag that may come again', ['status', '--set', 'a=b', '--se'], ['--set']],
    ['choices', ['status', '-o', ''], ['json', 'yaml', 'name']],
    ['choices that begin so', ['status', '--output', 'j'], ['json']],
    ['choices after an equals sign', ['status', '--output=y'], ['--output=yaml']],
    ['choices of an argument', ['completion', 'z'], ['zsh']],
    ['no second argument', ['completion', 'bash', ''], []],
    ['a value that nobody knows', ['status', '-n', ''], []],
    ['files after a flag for one', ['diff', '-f', ''], ['files']],
    ['a folder after a flag that may have one', ['status', '--state', ''], ['files']],
    ['another flag after a flag that may do without', ['status', '--state', '--out'], ['--output']],
    ['files as an argument', ['config', 'check', ''], ['files']],
    ['applications', ['status', ''], ['applications']],
    ['no numbers of syncs after the application', ['rollback', 'web', ''], []],
    ['applications after flags with values', ['status', '-n', 'shop', '-o', 'json', 'w'], ['applications']],
    ['no second application', ['status', 'web', ''], []],
    ['destinations', ['alerts', 'test', ''], ['destinations']],
    ['no ids of notifications', ['alerts', 'replay', ''], []],
  ])('%s', (_name, typed, expected) => {
    expect(words(...typed)).toEqual(expected);
  });
});

describe('the answer', () => {
  const answer = async (typed: readonly string[]): Promise<string> => {
    let out = '';
    await complete(program(), typed, { env: {}, write: (part) => void (out += part) });
    return out;
  };

  test('has a candidate on each line with what it is about, and says last how to go on', async () => {
    expect(await answer(['st'])).toBe('status\ttell\n:4\n');
    expect(await answer(['diff', '-f', ''])).toBe(':0\n');
    expect(await answer(['status', '-n', ''])).toBe(':4\n');
    // As PowerShell sends an empty word.
    expect(await answer(['completion', '""'])).toBe('bash\nzsh\n:4\n');
  });

  test('has the applications of the place that was named, and none where it cannot be read', async () => {
    await using folder = await tempFolder();
    const state = await openStateFolder(folder.path);
    for (const id of ['shop/web', 'shop/api', 'team/web']) await state.update(id, (status) => ({ ...status, declared: 1 }));
    const at = ['status', '--state', folder.path];
    // Two of them are called web.
    expect(await answer([...at, ''])).toBe('shop/api\tUnknown\nshop/web\tUnknown\nteam/web\tUnknown\n:4\n');
    expect(await answer([...at, '-n', 'shop', ''])).toBe('api\tUnknown\nweb\tUnknown\n:4\n');
    expect(await answer([...at, '-n', 'team', 'w'])).toBe('web\tUnknown\n:4\n');
    expect(await answer([...at, 'shop/'])).toBe('shop/api\tUnknown\nshop/web\tUnknown\n:4\n');
    expect(await answer([...at, '-A', 'shop/w'])).toBe('shop/web\tUnknown\n:4\n');
    expect(await answer(['status', '--state', join(folder.path, 'absent'), ''])).toBe(':4\n');
  });
});

test('the answer has the destinations of the configuration that was named, and none where it cannot be read', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'config.yaml');
  await writeFile(file, 'destinations:\n  - { name: team, type: discord, urlFile: url }\n  - { name: oncall, type: pagerduty, routingKeyFile: key }\n');
  const answer = async (...typed: readonly string[]): Promise<string> => {
    let out = '';
    await complete(program(), ['alerts', 'test', ...typed], { env: {}, cwd: folder.path, write: (part) => void (out += part) });
    return out;
  };
  expect(await answer('--config', file, '')).toBe('team\tdiscord\noncall\tpagerduty\n:4\n');
  expect(await answer(`--config=${file}`, 'o')).toBe('oncall\tpagerduty\n:4\n');
  expect(await answer('--config', join(folder.path, 'absent.yaml'), '')).toBe(':4\n');
});

describe('the script for bash', () => {
  /** What bash would offer after these words, with a setpoint that answers from a file. */
  async function offered(line: string, answered: string): Promise<{ readonly replies: readonly string[]; readonly asked: string }> {
    await using folder = await tempFolder();
    await mkdir(join(folder.path, 'bin'));
    await writeFile(join(folder.path, 'bin', 'setpoint'), `#!/bin/sh\nprintf '%s|' "$@" > ${join(folder.path, 'asked')}\ncat ${join(folder.path, 'answer')}\n`);
    await chmod(join(folder.path, 'bin', 'setpoint'), 0o755);
    await writeFile(join(folder.path, 'answer'), answered);
    await writeFile(join(folder.path, 'completion'), completionScripts.bash);
    const script = 'source completion; COMP_LINE="$1"; COMP_POINT=${#1}; _setpoint; cat asked; echo; for reply in "${COMPREPLY[@]}"; do echo "$reply"; done';
    const child = spawn('bash', ['--norc', '-c', script, 'bash', line], { cwd: folder.path, env: { PATH: `${join(folder.path, 'bin')}${delimiter}${process.env['PATH'] ?? ''}` }, stdio: ['ignore', 'pipe', 'inherit'] });
    const [asked = '', ...replies] = (await text(child.stdout)).trimEnd().split('\n');
    return { asked, replies };
  }

  test('asks with the words so far and offers what is answered, without what it is about', async () => {
    expect(await offered('setpoint st', 'status\ttell of it\n:4\n')).toEqual({ asked: '__complete|st|', replies: ['status'] });
    expect(await offered('setpoint status ', 'web\nshop/api\n:4\n')).toEqual({ asked: '__complete|status||', replies: ['web', 'shop/api'] });
  });

  test('offers what follows an equals sign as bash wants it', async () => {
    expect(await offered('setpoint status --output=j', '--output=json\n:4\n')).toEqual({ asked: '__complete|status|--output=j|', replies: ['json'] });
  });

  test('offers files where those may follow', async () => {
    expect((await offered('setpoint diff -f comp', ':0\n')).replies).toEqual(['completion']);
  });
});

test.each(Object.entries(completionScripts))('the script for %s asks setpoint itself', (_shell, script) => {
  expect(script).toContain('__complete');
  expect(script).toMatch(/setpoint/);
});
