import type { Command, Option } from 'commander';

/** What may stand at the cursor. */
export type Completion =
  | { readonly type: 'words'; readonly words: readonly Candidate[] }
  /** Something that the shell knows best. */
  | { readonly type: 'files' }
  /** An application, in the place that these words name. */
  | { readonly type: 'applications'; readonly before: readonly string[] }
  /** A destination of the configuration that these words name. */
  | { readonly type: 'destinations'; readonly before: readonly string[] };

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

const nothing: Completion = { type: 'words', words: [] };
/** Arguments that nobody can guess. */
const unknowable = new Set(['sync', 'id']);
const files = new Set(['filename', 'kubeconfig', 'state', 'root', 'gitCredentials', 'ignoreRules', 'config', 'values', 'app']);

/** What can follow the words of a command line, the last of which is perhaps not whole yet. Pure: it knows the commands, and nothing outside. */
export function candidates(program: Command, words: readonly string[]): Completion {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { command, rest } = descend(program, before);
  const open = command.options.find((option) => takesValue(option) && matches(option, rest.at(-1)));
  if (open !== undefined && !(open.optional && current.startsWith('-'))) return valuesOf(open, current);
  const [flag = '', value] = split(current);
  if (value !== undefined) {
    const option = command.options.find((each) => matches(each, flag));
    return option === undefined ? nothing : prefixed(valuesOf(option, value), `${flag}=`);
  }
  if (current.startsWith('-')) return { type: 'words', words: flagsOf(command, rest).filter(({ word }) => word.startsWith(current)) };
  if (command.commands.length > 0) return { type: 'words', words: commandsOf(command).filter(({ word }) => word.startsWith(current)) };
  const argument = command.registeredArguments[operands(command, rest).length];
  if (argument === undefined) return nothing;
  if (argument.argChoices !== undefined) return { type: 'words', words: wordsOf(argument.argChoices, current) };
  if (unknowable.has(argument.name())) return nothing;
  if (argument.name() === 'dest') return { type: 'destinations', before };
  return argument.name() === 'app' ? { type: 'applications', before } : { type: 'files' };
}

/** The command that the words lead to, and those that are left for it. */
function descend(program: Command, words: readonly string[]): { readonly command: Command; readonly rest: readonly string[] } {
  const [first, ...rest] = words;
  const next = program.commands.find((command) => first !== undefined && (command.name() === first || command.aliases().includes(first)));
  return next === undefined ? { command: program, rest: words } : descend(next, rest);
}

/** Words that are neither flags nor their values. */
function operands(command: Command, words: readonly string[]): readonly string[] {
  return words.filter((word, at) => {
    const option = command.options.find((each) => matches(each, words[at - 1]));
    return !word.startsWith('-') && !(option !== undefined && takesValue(option));
  });
}

function valuesOf(option: Option, current: string): Completion {
  if (option.argChoices !== undefined) return { type: 'words', words: wordsOf(option.argChoices, current) };
  return files.has(option.attributeName()) ? { type: 'files' } : nothing;
}

function prefixed(completion: Completion, prefix: string): Completion {
  return completion.type === 'words' ? { type: 'words', words: completion.words.map(({ word, about }) => ({ word: prefix + word, about })) } : completion;
}

function split(word: string): readonly string[] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

function wordsOf(choices: readonly string[], current: string): readonly Candidate[] {
  return choices.filter((word) => word.startsWith(current)).map((word) => ({ word, about: '' }));
}

/** Those that were given already are left out, unless they may come again. */
function flagsOf(command: Command, given: readonly string[]): readonly Candidate[] {
  const free = command.options.filter((option) => !option.hidden && (option.description.includes('repeatable') || !given.some((word) => matches(option, word))));
  const own = free.flatMap(({ long, short, description }) => [long, short].flatMap((word) => (typeof word === 'string' ? [{ word, about: description }] : [])));
  return [...own, { word: '--help', about: 'display help for command' }];
}

function commandsOf(command: Command): readonly Candidate[] {
  return command.commands.map((each) => ({ word: each.name(), about: each.description() }));
}

function matches({ long, short }: Option, word: string | undefined): boolean {
  return word !== undefined && (word === long || word === short);
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}
