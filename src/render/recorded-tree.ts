import { SetpointError, type SourceTree } from '../model/index.ts';

/** Something that a result depends on: a question to a tree, and the answer it got. */
export interface Observation {
  readonly question: Question;
  readonly path: string;
  readonly answer: string;
}

type Question = 'typeOf' | 'list' | 'idOf';

export interface RecordedTree {
  readonly tree: SourceTree;
  readonly observations: () => readonly Observation[];
}

/** Notes everything that is asked of a tree: that is what a result depends on, and nothing else. */
export function recordTree(tree: SourceTree): RecordedTree {
  const noted = new Map<string, Observation>();
  const note = async (question: Question, path: string): Promise<void> => {
    const key = `${question} ${path}`;
    if (!noted.has(key)) noted.set(key, { question, path, answer: await ask(tree, question, path) });
  };
  const noting =
    <Answer>(question: Question, get: (path: string) => Promise<Answer>) =>
    async (path: string): Promise<Answer> => {
      await note(question, path);
      return get(path);
    };
  return {
    tree: {
      typeOf: noting('typeOf', tree.typeOf),
      idOf: noting('idOf', tree.idOf),
      list: noting('list', tree.list),
      read: noting('idOf', tree.read),
    },
    observations: () => [...noted.values()],
  };
}

/** Whether a tree gives the same answers. */
export async function stillHolds(observations: readonly Observation[], tree: SourceTree): Promise<boolean> {
  for (const { question, path, answer } of observations) {
    if ((await ask(tree, question, path)) !== answer) return false;
  }
  return true;
}

/** An answer as text. That a path is wrong is an answer too, with its reason: a result may depend on it, and repeat it. */
async function ask(tree: SourceTree, question: Question, path: string): Promise<string> {
  try {
    if (question === 'typeOf') return (await tree.typeOf(path)) ?? '';
    if (question === 'idOf') return (await tree.idOf(path)) ?? '';
    return (await tree.list(path)).map(({ name, type }) => `${type.slice(0, 2)} ${name}`).join('/');
  } catch (error) {
    if (error instanceof SetpointError && (error.code === 'PathNotFound' || error.code === 'PathInvalid')) return `error ${error.code} ${error.message}`;
    throw error;
  }
}
