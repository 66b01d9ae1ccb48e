import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { parseIgnoreRules, type IgnoreRules } from '../diff/index.ts';
import { isObject, SetpointError, valueAt, type Json } from '../model/index.ts';

/** Rules from a file: a list of them, or a document that has one as Argo CD's Application has it (`spec.ignoreDifferences`). */
export async function readIgnoreRules(file: string | undefined): Promise<IgnoreRules | undefined> {
  if (file === undefined) return undefined;
  const refuse = (message: string, cause?: unknown): SetpointError => new SetpointError('Usage', `the ignore rules in ${file} ${message}`, { cause });
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw refuse(`cannot be read: ${cause.code === 'ENOENT' ? 'no such file' : cause.message}`, cause);
  });
  let document: Json;
  try {
    document = parse(text) as Json;
  } catch (cause) {
    throw refuse(`are no YAML: ${(cause as Error).message}`, cause);
  }
  const rules = isObject(document) ? (document['ignoreDifferences'] ?? valueAt(document, ['spec', 'ignoreDifferences'])) : document;
  if (rules === undefined) throw refuse('are not there: wanted a list of rules, or a document with ignoreDifferences');
  const parsed = parseIgnoreRules(rules);
  if (parsed.type === 'refused') throw refuse(`are refused:\n  ${parsed.errors.join('\n  ')}`);
  return parsed.rules;
}
