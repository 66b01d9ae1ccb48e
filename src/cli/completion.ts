import { Command } from 'commander';
import { candidates, type Candidate } from './completion-candidates.ts';
import { oneLine, printable } from './format/printable.ts';
import { heedVariables } from './heed-variables.ts';

/** As cobra's programs answer, which kubectl understands: a candidate on each line, and how to go on with the last. */
const goOn = { withFiles: ':0', withNothing: ':4' } as const;

const longestAbout = 80;
/** Nobody waits longer for a list of names. */
const namesMs = 2000;

interface Completing {
  readonly env: NodeJS.ProcessEnv;
  readonly write: (text: string) => void;
  readonly cwd?: string;
}

/** Answers the shell. Whatever goes wrong, there are only fewer candidates. */
export async function complete(program: Command, typed: readonly string[], { env, write, cwd = '.' }: Completing): Promise<void> {
  // PowerShell drops a word that is empty: its script sends it in quotes, which some releases leave on.
  const words = typed.at(-1) === '""' ? [...typed.slice(0, -1), ''] : typed;
  const completion = candidates(program, words);
  if (completion.type === 'files') return write(`${goOn.withFiles}\n`);
  const names = { applications: namesAt, destinations: destinationsAt };
  const found = completion.type === 'words' ? completion.words : await names[completion.type](completion.before, { env, cwd, current: words.at(-1) ?? '' }).catch(() => []);
  const lines = found.map(({ word, about }) => `${printable(word)}${about === '' ? '' : `\t${oneLine(about).slice(0, longestAbout)}`}\n`);
  write(`${lines.join('')}${goOn.withNothing}\n`);
}

interface Asking {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly current: string;
}

/** The applications in the place that the words name so far. */
async function namesAt(words: readonly string[], { env, current }: Asking): Promise<readonly Candidate[]> {
  const { addPlaceOptions, openStatusSource } = await import('./status-place.ts');
  const silent = { writeErr: () => undefined, writeOut: () => undefined };
  const reader = addPlaceOptions(new Command('place').argument('[words...]').option('-A, --all-namespaces').allowUnknownOption().exitOverride().configureOutput(silent));
  heedVariables(reader, env);
  reader.parse([...words], { from: 'user' });
  const flags = reader.opts<Parameters<typeof openStatusSource>[0] & { readonly allNamespaces?: boolean }>();
  await using source = await openStatusSource(flags, { env, now: () => new Date(), warn: () => undefined });
  const items = await source.read(flags, AbortSignal.timeout(namesMs));
  const isWhole = flags.allNamespaces === true || current.includes('/') || new Set(items.map(({ name }) => name)).size < items.length;
  return items.map(({ id, name, verdict }) => ({ word: isWhole ? id : name, about: verdict.status })).filter(({ word }) => word.startsWith(current));
}

/** The destinations of the configuration of this machine, or of the file that the words name so far. */
async function destinationsAt(words: readonly string[], { env, cwd, current }: Asking): Promise<readonly Candidate[]> {
  const [{ loadConfig }, { renderOptionsFrom }] = await Promise.all([import('../config/index.ts'), import('./render-options.ts')]);
  const at = words.findLastIndex((word) => word === '--config' || word.startsWith('--config='));
  const named = words[at]?.startsWith('--config=') === true ? words[at].slice('--config='.length) : words[at + 1];
  const { config } = await loadConfig({ named: at === -1 ? undefined : named, flags: {}, env, cwd, renderOptionsOf: renderOptionsFrom }, AbortSignal.timeout(namesMs));
  return config.alerting.destinations.map(({ name, type }) => ({ word: name, about: type })).filter(({ word }) => word.startsWith(current));
}
