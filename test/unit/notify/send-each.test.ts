import { expect, test } from 'vitest';
import type { SendOutcome } from '../../../src/model/index.ts';
import { sendEach } from '../../../src/notify/send-each.ts';

const sent: SendOutcome = { type: 'sent' };
const retry: SendOutcome = { type: 'retry', why: 'busy', afterMs: 5 };
const refused: SendOutcome = { type: 'refused', why: 'bad' };
const gone: SendOutcome = { type: 'gone', why: 'gone' };

test.each<[string, readonly SendOutcome[], SendOutcome, number]>([
  ['all were sent', [sent, sent], sent, 2],
  ['the only one was refused', [refused], refused, 1],
  ['one of several was refused, and the others were sent', [sent, refused, sent], { type: 'refused', why: '1 of 3 were refused, the first because bad' }, 3],
  ['one is worth another try: the rest waits for it', [sent, retry, sent], retry, 2],
  ['one is worth another try after one was refused', [refused, retry, sent], retry, 2],
  ['the destination is gone', [gone, sent], gone, 1],
])('%s', async (_name, outcomes, expected, asked) => {
  const seen: number[] = [];
  const outcome = await sendEach([...outcomes.keys()], (at) => {
    seen.push(at);
    return Promise.resolve(outcomes[at] ?? sent);
  });
  expect(outcome).toEqual(expected);
  expect(seen.length).toBe(asked);
});
