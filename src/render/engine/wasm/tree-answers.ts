import { SetpointError, type SourceTree } from '../../../model/index.ts';
import type { Answer, Question } from './messages.ts';

export interface SourceLimits {
  /** Files that one render may read. */
  readonly files: number;
  /** Their bytes, taken together. */
  readonly bytes: number;
  /** Paths that one render may ask about at all: a repository can hold endless nests of links. */
  readonly questions: number;
}

export interface TreeAnswers {
  /** Never throws: what the tree throws is kept for the caller of the render. */
  answer(question: Omit<Question, 'number'>): Promise<Answer>;
  failure(): unknown;
}

const readsAtOnce = 32;

/** Answers a worker's questions from the tree, within the limits of one render. */
export function createTreeAnswers(tree: SourceTree, limits: SourceLimits): TreeAnswers {
  let [files, bytes, questions] = [0, 0, 0];
  let failure: unknown;

  const read = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
    const content = await tree.read(path);
    bytes += content.byteLength;
    if (bytes > limits.bytes) throw tooLarge(`the files that it reads have more than ${limits.bytes} bytes`);
    // A copy of its own: the tree's may be a view of a whole pack, and a message would carry all of it.
    return new Uint8Array(content);
  };

  const answerAll = async ({ what, paths }: Omit<Question, 'number'>): Promise<Answer> => {
    questions += paths.length;
    if (questions > limits.questions) throw tooLarge(`it asks about more than ${limits.questions} paths`);
    if (what === 'type') return inTurns(paths, async (path) => (await tree.typeOf(path)) ?? '');
    if (what === 'list') return inTurns(paths, async (path) => JSON.stringify(await tree.list(path)));
    files += paths.length;
    if (files > limits.files) throw tooLarge(`it reads more than ${limits.files} files`);
    return inTurns(paths, read);
  };

  return {
    answer: (question) =>
      answerAll(question).catch((error: unknown) => {
        failure ??= error;
        return undefined;
      }),
    failure: () => failure,
  };
}

async function inTurns<T>(paths: readonly string[], answer: (path: string) => Promise<T>): Promise<readonly T[]> {
  const answers: T[] = [];
  for (let index = 0; index < paths.length; index += readsAtOnce) {
    answers.push(...(await Promise.all(paths.slice(index, index + readsAtOnce).map(answer))));
  }
  return answers;
}

function tooLarge(why: string): SetpointError {
  return new SetpointError('SourceTooLarge', `The source is too large to render: ${why}.`);
}
