import { describe, expect, test } from 'vitest';
import { createTreeAnswers } from '../../../../src/render/engine/wasm/tree-answers.ts';
import { memoryTree } from '../../../support/memory-tree.ts';

const tree = memoryTree({ 'a/one': '1', 'a/two': '22', 'a/link': { link: '../../out' } });
const limits = { files: 3, bytes: 4, questions: 6 };

describe('the answers to a worker', () => {
  test('come in the order of the paths', async () => {
    const { answer, failure } = createTreeAnswers(tree, limits);
    expect(await answer({ what: 'type', paths: ['a', 'a/one', 'none'] })).toEqual(['folder', 'file', '']);
    expect(await answer({ what: 'list', paths: ['a'] })).toEqual([
      JSON.stringify([
        { name: 'link', type: 'link' },
        { name: 'one', type: 'file' },
        { name: 'two', type: 'file' },
      ]),
    ]);
    expect(failure()).toBeUndefined();
  });

  test('carry no more of a buffer than the file', async () => {
    const whole = Buffer.from('before content after');
    const { answer } = createTreeAnswers({ ...tree, read: () => Promise.resolve(whole.subarray(7, 14)) }, { ...limits, bytes: 100 });
    const [content] = (await answer({ what: 'read', paths: ['a/one'] })) as readonly Uint8Array[];
    expect(Buffer.from(content?.buffer ?? new ArrayBuffer(0)).toString()).toBe('content');
  });

  test.each([
    { name: 'a link leads out', question: { what: 'type', paths: ['a/link'] }, code: 'PathInvalid', says: /leads out/ },
    { name: 'there are too many files', question: { what: 'read', paths: ['a/one', 'a/one', 'a/one', 'a/one'] }, code: 'SourceTooLarge', says: /3 files/ },
    { name: 'there are too many bytes', question: { what: 'read', paths: ['a/two', 'a/one', 'a/two'] }, code: 'SourceTooLarge', says: /4 bytes/ },
    { name: 'there are too many questions', question: { what: 'type', paths: Array<string>(7).fill('a') }, code: 'SourceTooLarge', says: /6 paths/ },
  ] as const)('are none when $name, and the error is kept', async ({ question, code, says }) => {
    const { answer, failure } = createTreeAnswers(tree, limits);
    expect(await answer(question)).toBeUndefined();
    expect(failure()).toMatchObject({ code, message: expect.stringMatching(says) });
  });
});
