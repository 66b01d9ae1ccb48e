import { describe, expect, test } from 'vitest';
import type { SourceTree } from '../../../src/model/index.ts';
import { recordTree, stillHolds } from '../../../src/render/recorded-tree.ts';
import { memoryTree, type MemoryFiles } from '../../support/memory-tree.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { randomEdit, randomTree } from './random-tree.ts';

const questions = ['typeOf', 'list', 'idOf', 'read'] as const;
const paths = ['', 'a', 'b', 'a/x.yaml', 'a/y.yaml', 'b/x.yaml', 'a/sub', 'a/sub/x.yaml', 'b/sub/y.yaml', 'l', 'l/x.yaml', 'a/l', '..', 'a//x.yaml', 'c'];

/** An answer in full, which is more than what is recorded of it. */
async function answer(tree: SourceTree, question: (typeof questions)[number], path: string): Promise<string> {
  try {
    const value = await tree[question](path);
    return JSON.stringify(value instanceof Uint8Array ? [...value] : (value ?? null));
  } catch (error) {
    return String(error);
  }
}

const random = seededRandom();
test.each(Array.from({ length: 300 }, (_, at) => [at]))(`random trees: what was asked holds exactly while all answers are equal (seed ${random.seed}, %i)`, async () => {
  const files = randomTree(random);
  const edited = Array.from({ length: 1 + random.below(3) }).reduce<MemoryFiles>((some) => randomEdit(random, some), files);
  const asked = Array.from({ length: random.below(6) }, () => [questions[random.below(4)] ?? 'read', paths[random.below(paths.length)] ?? ''] as const);
  const before = memoryTree(files);
  const after = memoryTree(edited);
  const recorded = recordTree(before);
  const answers = [];
  for (const [question, path] of asked) answers.push(await answer(recorded.tree, question, path));
  expect(answers).toEqual(await Promise.all(asked.map(([question, path]) => answer(before, question, path))));
  // Reading asks for the content of what is there, also where that is a folder, which has an id and no bytes.
  const noted = (tree: SourceTree): Promise<readonly string[]> => Promise.all(asked.map(([question, path]) => answer(tree, question === 'read' ? 'idOf' : question, path)));
  const same = (await noted(before)).join('\n') === (await noted(after)).join('\n');
  expect(await stillHolds(recorded.observations(), before)).toBe(true);
  expect(await stillHolds(recorded.observations(), after)).toBe(same);
});

describe('what is recorded', () => {
  test('is each question once, with reading as a question for the content', async () => {
    const { tree, observations } = recordTree(memoryTree({ 'a/x': '1' }));
    for (let round = 0; round < 3; round += 1) await Promise.all([tree.read('a/x'), tree.idOf('a/x'), tree.typeOf('a'), tree.list('a')]);
    expect(observations().map(({ question, path }) => `${question} ${path}`).toSorted()).toEqual(['idOf a/x', 'list a', 'typeOf a']);
  });

  test('is also that something is missing or wrong, and why', async () => {
    const { tree, observations } = recordTree(memoryTree({ bad: { link: '/x' } }));
    expect(await tree.typeOf('gone')).toBeUndefined();
    await expect(tree.read('gone')).rejects.toMatchObject({ code: 'PathNotFound' });
    await expect(tree.typeOf('bad')).rejects.toMatchObject({ code: 'PathInvalid' });
    expect(await stillHolds(observations(), memoryTree({ bad: { link: '/x' } }))).toBe(true);
    for (const files of [{ bad: { link: '/y' } }, { bad: 'file' }, { bad: { link: '/x' }, gone: '' }]) expect(await stillHolds(observations(), memoryTree(files))).toBe(false);
  });

  test('is not the failure of a tree: that comes through', async () => {
    const broken = { ...memoryTree({}), idOf: () => Promise.reject(new Error('disk')) };
    await expect(recordTree(broken).tree.read('a')).rejects.toThrow('disk');
    await expect(stillHolds([{ question: 'idOf', path: 'a', answer: '' }], broken)).rejects.toThrow('disk');
  });
});
