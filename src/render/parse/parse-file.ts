import { parseYaml } from '../yaml/parse-yaml.ts';
import { writeDocuments } from './document-text.ts';
import { refusedFile } from './refused-file.ts';
import type { FailedFile, ReadFile } from './worker-messages.ts';

const maxTextChars = 64 * 1024 * 1024;

/** The documents of a file, as the text that crosses threads and is kept on disk. */
export function parseFile(content: Uint8Array): ReadFile | FailedFile {
  try {
    const bytes = content.length;
    const text = writeDocuments({ documents: parseYaml(content), bytes }, maxTextChars);
    return { type: 'read', text: text ?? writeDocuments({ documents: tooLong(), bytes }, maxTextChars) ?? '' };
  } catch (error) {
    return { type: 'failed', error: error instanceof Error ? error.name : typeof error };
  }
}

function tooLong(): ReturnType<typeof refusedFile> {
  return refusedFile('too-large', `the values of the file, with aliases expanded, have more than ${maxTextChars} characters`);
}
