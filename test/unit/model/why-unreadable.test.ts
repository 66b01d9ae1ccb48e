import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { whyUnreadable } from '../../../src/model/index.ts';

test.each([
  ['a folder', '.', 'it is a folder, and a file was expected'],
  ['nothing', './no/such/file', 'there is no such file or folder'],
  ['a file with something below it', './package.json/x', 'what should be a folder is a file'],
])('why %s could not be read is told in words', async (_name, path, wanted) => {
  expect(await readFile(path).catch(whyUnreadable)).toBe(wanted);
});

test.each([
  [Object.assign(new Error('canary'), { code: 'EIO' }), 'EIO'],
  [new DOMException('canary', 'AbortError'), 'AbortError'],
])('what has no words yet is told by its code or name', (error, wanted) => {
  expect(whyUnreadable(error)).toContain(wanted);
});
