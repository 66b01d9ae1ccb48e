// What the pages tell people to type, and to write, as far as it can be known without a cluster.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError, type Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readApplication } from '../../src/apps/index.ts';
import { createProgram } from '../../src/cli/program.ts';
import { isObject, type Json, type KubeObject } from '../../src/model/index.ts';
import { helmTemplate } from '../support/chart.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = globSync(['README.md', 'docs/**/*.md', 'examples/**/*.md', 'charts/**/*.md'], { cwd: root })
  .filter((page) => page !== 'docs/cli.md')
  .toSorted();
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

function blocks(page: string, ...languages: readonly string[]): readonly string[] {
  return [...textOf(page).matchAll(/^( *)```(\w+)\n(.*?)^ *```/gms)].filter(([, , language = '']) => languages.includes(language)).map(([, indent = '', , text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

/** The words of a command as a shell would have them. */
function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/^['"]|['"]$|(?<==)['"]/g, ''));
}

/** What follows `setpoint` in a line of a shell, up to a comment, a pipe or the like. */
function commandsIn(line: string): readonly (readonly string[])[] {
  const code = line.replace(/^\$ /, '').replace(/(?:^|\s)#.*$/, '');
  return code.split(/\s(?:\||&&|;|\|\|)\s/).flatMap((part) => {
    // What another program is told about something of that name is its own.
    const own = /^(?:[A-Z_]+=\S+\s+)*(?:npx\s+|kubectl\s+|\S*\/)?setpoint\s+(.*)$/.exec(part.trim()) ?? /^kubectl exec\b.*--\s+setpoint\s+(.*)$/.exec(part.trim());
    return own === null || /<TAB>/.test(part) ? [] : [wordsOf((own[1] ?? '').replaceAll(/\s(?:[<>]|>>|2>).*$/g, ''))];
  });
}

function inline(page: string): readonly string[] {
  const prose = textOf(page).replaceAll(/^ *```.*?^ *```/gms, '');
  return [...prose.matchAll(/`(setpoint [^`\n]+)`/g)].map(([, text = '']) => text).filter((text) => !text.includes('…'));
}

function typed(page: string): readonly string[] {
  return blocks(page, 'sh', 'console').flatMap((text) => text.replaceAll(/\\\n\s*/g, '').split('\n'));
}

/** Why the words are refused before anything is done. */
async function refusalOf(words: readonly string[]): Promise<string | undefined> {
  const output = { write: () => undefined, colors: () => undefined, readerGone: new AbortController().signal } as unknown as Parameters<typeof createProgram>[0]['output'];
  const program = createProgram({ process, output, finish: () => undefined });
  const disarm = (command: Command): void => {
    command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    for (const each of command.commands) disarm(each);
    if (command.commands.length === 0) command.action(() => undefined);
  };
  disarm(program);
  try {
    await program.parseAsync(['node', 'setpoint', ...words]);
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? undefined : error.code;
  }
}

describe('commands', () => {
  const each = (page: string, words: readonly string[]): { page: string; command: string; words: readonly string[] } => ({ page, command: words.join(' '), words });
  const documented = pages.flatMap((page) => typed(page).flatMap(commandsIn).map((words) => each(page, words)));
  const mentioned = pages.flatMap((page) => inline(page).flatMap(commandsIn).map((words) => each(page, words)));

  test('there are many of them', () => {
    expect(documented.length).toBeGreaterThan(60);
    expect(mentioned.length).toBeGreaterThan(80);
    expect(documented.filter(({ page }) => page === 'README.md').length).toBeGreaterThan(4);
  });

  test.each(documented)('$page: setpoint $command', async ({ words }) => {
    expect(await refusalOf(words)).toBeUndefined();
  });

  test.each(mentioned)('$page mentions setpoint $command', async ({ words }) => {
    const refusal = await refusalOf(words.map((word) => word.replace(/\|.*/, '')));
    // A name is enough in a sentence.
    expect([undefined, 'commander.missingArgument', 'commander.optionMissingArgument']).toContain(refusal);
  });

  test.each([
    ['diff --wacth -f .', 'commander.unknownOption'],
    ['dif -f .', 'commander.unknownCommand'],
    ['alerts list --ded', 'commander.unknownOption'],
    ['status a b c', 'commander.excessArguments'],
  ])('setpoint %s would be noticed', async (command, refusal) => {
    expect(await refusalOf(wordsOf(command))).toBe(refusal);
  });
});

describe('the two commands of the README', () => {
  test('are there as they are, and are scripts of the package', () => {
    expect(blocks('README.md', 'sh').join('')).toMatch(/^npm ci && npm run demo\b.*\nnpm cit\b/m);
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Readonly<Record<string, string>> };
    for (const [, name = ''] of textOf('README.md').matchAll(/\bnpm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(name);
  });

  test('come within one screen', () => {
    const before = textOf('README.md').split('npm ci && npm run demo')[0] ?? '';
    expect(before.split('\n').length).toBeLessThan(40);
  });
});

const yamlBlocks = pages.flatMap((page) => blocks(page, 'yaml').map((text, index) => ({ page, index, text })));

describe('YAML', () => {
  test.each(yamlBlocks)('block $index of $page can be read', ({ text }) => {
    const documents = parseAllDocuments(text, { strict: true, uniqueKeys: true });
    for (const document of documents) expect((document as { errors: unknown[] }).errors).toEqual([]);
  });

  const applications = yamlBlocks.flatMap(({ page, text }) =>
    parseAllDocuments(text).flatMap((document) => {
      const object = document.toJS() as Json;
      return isObject(object) && object['kind'] === 'Application' && object['apiVersion'] === 'setpoint.dev/v1alpha1' && isObject(object['metadata']) ? [{ page, object: object as KubeObject }] : [];
    }),
  );

  test.each(applications)('the Application in $page is one that the agent takes without a warning', ({ object }) => {
    expect(readApplication(object)).toMatchObject({ type: 'application', spec: { warnings: [] } });
  });

  test('the first Application and the alerts of the README are as short as can be', () => {
    const [application = '', values = '', ...more] = blocks('README.md', 'yaml');
    expect(more).toEqual([]);
    expect(application).toContain('kind: Application');
    expect(application.split('\n').length).toBeLessThanOrEqual(12);
    expect(values.trim().split('\n').length).toBeLessThanOrEqual(6);
  });

  test('the values of the README are taken by the chart', async () => {
    const values = parseAllDocuments(blocks('README.md', 'yaml')[1] ?? '')[0]?.toJS() as object;
    const { text } = await helmTemplate('setpoint', { image: { repository: 'registry.example.com/setpoint' }, ...values });
    expect(text).toContain('tokenFile: slack-token');
  });
});
