import { expect, test } from 'vitest';
import { createAskGitFirst, type AskGitFirst } from '../../../src/agent/ask-git-first.ts';
import { plainApplication, type Application, type SyncRequest } from '../../../src/model/index.ts';

const source = (repository: string): Application['sources'][number] => ({ repository, revision: 'main', path: 'web', ref: undefined, options: {} });
const application = (more: Partial<Application> = {}): Application => plainApplication({ name: 'web', sources: [source('fleet'), source('values')], ...more });
const request = (id: string, more: Partial<SyncRequest> = {}): Partial<Application> => ({ sync: { id, by: 'me', ...more } });

function scene(known: readonly Application[]): { readonly first: AskGitFirst; readonly asked: string[]; answer(): void } {
  const asked: string[] = [];
  let answers = Promise.withResolvers<undefined>();
  const first = createAskGitFirst(known, {
    async ask({ repository }) {
      asked.push(repository);
      await answers.promise;
    },
  });
  return {
    ...{ first, asked },
    answer() {
      answers.resolve(undefined);
      answers = Promise.withResolvers();
    },
  };
}

const both = ['fleet', 'values'];

test.each<[string, readonly Application[], readonly Application[], readonly string[]]>([
  ['nobody asks for anything', [application()], [application({ labels: { team: 'shop' } })], []],
  ['a look at everything asks for every source', [application()], [application({ refresh: '1' })], both],
  ['a sync does, too', [application()], [application(request('r1'))], both],
  ['and a second one', [application(request('r1'))], [application(request('r2'))], both],
  ['one that was there before is asked for with all the rest', [application(request('r1'))], [application({ ...request('r1'), labels: { team: 'shop' } })], []],
  ['a sync at a commit asks for nothing', [application()], [application(request('r1', { revision: 'a'.repeat(40) }))], []],
  ['an application that is made with a request in it shares references that are known', [], [application(request('r1'))], both],
  ['one that is made with nothing but a look in it is looked at anyhow', [], [application({ refresh: '1' })], []],
])('%s', (_name, known, declared, expected) => {
  const { first, asked } = scene(known);
  for (const each of declared) void first.before(each);
  expect(asked).toEqual(expected);
});

test('another change does not overtake the question that the request waits for', async () => {
  const { first, asked, answer } = scene([application()]);
  void first.before(application(request('r1')));
  const waiting = first.before(application({ ...request('r1'), labels: { team: 'shop' } }));
  expect(asked).toEqual(both);
  let isOver = false;
  const over = waiting?.answer.then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  answer();
  await over;
  await Promise.resolve();
  expect(first.before(application({ ...request('r1'), labels: {} }))).toBeUndefined();
});

test('one that is gone and comes back is a new one', () => {
  const { first, asked } = scene([application(request('r1'))]);
  first.forget('web');
  void first.before(application(request('r1')));
  expect(asked).toEqual(both);
});

test('what else is changed does not wait for Git: a pause is heard while a sync is asked for', async () => {
  const { first, answer } = scene([application(request('r1'))]);
  const asked = first.before(application({ ...request('r2'), refresh: '1' }));
  expect(asked?.meanwhile).toEqual(application());
  const pause = { until: undefined, reason: 'no' };
  expect(first.before(application({ ...request('r2'), refresh: '1', pause }))?.meanwhile).toEqual(application({ pause }));
  answer();
  await asked?.answer;
  await Promise.resolve();
  expect(first.before(application({ ...request('r3'), refresh: '1' }))?.meanwhile).toEqual(application({ refresh: '1' }));
});

test('an application that is made with a request in it is looked at without it at first', () => {
  const { first } = scene([]);
  expect(first.before(application(request('r1')))?.meanwhile).toEqual(application());
});

test('a request for a commit is not carried out after another one has taken its place', () => {
  const { first } = scene([application()]);
  const rollback = application({ sync: { id: 'r1', by: 'somebody', revision: 'f'.repeat(40) } });
  expect(first.before(rollback)).toBeUndefined();
  expect(first.before(application(request('r2')))?.meanwhile).toEqual(application());
});

test('a request that is there already does not wait for a refresh', () => {
  const { first } = scene([application(request('r1'))]);
  expect(first.before(application({ ...request('r1'), refresh: '1' }))?.meanwhile).toEqual(application(request('r1')));
});
