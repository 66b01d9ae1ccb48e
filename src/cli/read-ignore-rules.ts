import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { parseIgnoreRules, type IgnoreRules } from '../diff/index.ts';
import { isObject, SetpointError, valueAt, whyUnreadable, type Json } from '../model/index.ts';

/** Rules from a file: a list of them, or a document that has one as Argo CD's Application has it (`spec.ignoreDifferences`). */
export async function readIgnoreRules(file: string | undefined): Promise<IgnoreRules | undefined> {
  if (file === undefined) return undefined;
  const refuse = (message: string, cause?: unknown): SetpointError => new SetpointError('Usage', `the ignore rules in ${file} ${message}`, { cause });
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw refuse(`cannot be read: ${whyUnreadable(cause)}`, cause);
  });
  let document: Json;
  try {
    const documents = parseAllDocuments(text);
    if ('empty' in documents || documents.length !== 1) throw new Error(`one document is wanted, got ${documents.length}`);
    const [only] = documents;
    if (only?.errors[0] !== undefined) throw only.errors[0];
    document = only?.toJS() as Json;
  } catch (cause) {
    throw refuse(`cannot be parsed: ${(cause as Error).message}`, cause);
  }
  const rules = isObject(document) ? (document['ignoreDifferences'] ?? valueAt(document, ['spec', 'ignoreDifferences'])) : document;
  if (rules === undefined) throw refuse('are not there: wanted a list of rules, or a document with ignoreDifferences');
  const parsed = parseIgnoreRules(rules);
  if (parsed.type === 'refused') throw refuse(`are refused: ${parsed.errors.join('; ')}`);
  return parsed.rules;
}
