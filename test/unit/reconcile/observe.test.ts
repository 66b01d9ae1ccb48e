import { expect, test } from 'vitest';
import { emptyStatus, plainApplication, SetpointError, type AppStatus, type Source } from '../../../src/model/index.ts';
import { observe } from '../../../src/reconcile/observe.ts';
import type { Ports } from '../../../src/reconcile/ports.ts';

const onRecord: AppStatus['reference'] = { repository: 'https://git.example.com/fleet', revision: 'main' };
const { signal } = new AbortController();

/** What Git is said to have been at last, where an application is looked at that has this source. */
async function lastSeenOf(source: Pick<Source, 'repository' | 'revision'>, reference = onRecord): Promise<string | null | undefined> {
  const asked: (string | null)[] = [];
  const ports = {
    status: { read: () => Promise.resolve({ ...emptyStatus('web'), commit: 'c1', reference }) },
    ignoresOf: () => undefined,
    desired: {
      at(_application: unknown, lastSeen: string | null) {
        asked.push(lastSeen);
        return Promise.reject(new SetpointError('RevisionNotFound', 'there is none'));
      },
    },
  } as unknown as Ports;
  const { judgement } = await observe(plainApplication({ name: 'web', sources: [{ path: 'web', ref: undefined, options: {}, ...source }] }), ports, signal);
  expect(judgement).toMatchObject({ verdict: { status: 'Unknown', code: 'RevisionNotFound' }, commit: null });
  return asked[0];
}

const fleet = 'https://git.example.com/fleet';

test.each([
  ['is known of the same reference', { repository: fleet, revision: 'main' }, onRecord, 'c1'],
  ['says nothing of another branch or tag', { repository: fleet, revision: 'v1.42' }, onRecord, null],
  ['says nothing of a commit that is named', { repository: fleet, revision: '4e9c917d0c2d1b7a8f3e5a6b7c8d9e0f1a2b3c4d' }, onRecord, null],
  ['says nothing of another repository', { repository: 'https://git.example.com/other', revision: 'main' }, onRecord, null],
  ['says nothing where nobody wrote down what it was found for', { repository: fleet, revision: 'main' }, null, null],
])('the commit on record %s', async (_name, source, reference, lastSeen) => {
  expect(await lastSeenOf(source, reference)).toBe(lastSeen);
});
