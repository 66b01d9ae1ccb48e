import { describe, expect, test } from 'vitest';
import { statusOf } from '../../../src/server/hook-result.ts';
import { senders, type Sample } from '../../fixtures/webhooks/senders.ts';
import { deliver, openIntake, senderOf } from './open-intake.ts';

const wrongValues: readonly unknown[] = [null, true, 0, -1, 1e308, '', 'boom', [], [null], {}, { __proto__: null, length: -1 }, [[[[]]]]];

/** The value with each of its nodes, one after the other, left out or replaced by each of the wrong values. */
function* spoilt(value: unknown): Generator {
  yield* wrongValues;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const other of spoilt(item)) yield value.with(index, other);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
      for (const other of spoilt(item)) yield { ...value, [key]: other };
    }
  }
}

test.each(senders)('$name: whatever node of its sample is missing or of a wrong type, there is an answer and it is no 5xx', async (sender) => {
  const { log, take } = openIntake(sender);
  const seen = new Map<string, number>();
  let count = 0;
  for (const payload of spoilt(sender.sample)) {
    count += 1;
    const { result } = await take(deliver(sender, { payload, id: `spoilt-${count}` }));
    seen.set(result, (seen.get(result) ?? 0) + 1);
  }
  expect(count).toBeGreaterThan(30);
  expect([...seen.keys()].filter((result) => statusOf[result as keyof typeof statusOf] >= 500)).toEqual([]);
  // The walk reached what is read: some were still pushes and some no longer.
  expect([...seen.keys()]).toContain('accepted');
  expect(seen.size).toBeGreaterThan(1);
  expect(log.lines).toEqual([]);
});

describe('payloads that have killed others', () => {
  const within = (name: string, path: readonly string[], value: unknown): Sample => {
    const copy = structuredClone(senderOf(name).sample) as Record<string, unknown>;
    const last = path.at(-1) ?? '';
    const parent = path.slice(0, -1).reduce((node, key) => node[key] as Record<string, unknown>, copy);
    parent[last] = value;
    return copy;
  };

  test.each([
    ['gogs', ['repository'], null],
    ['Azure DevOps with a password', ['resource', 'refUpdates'], []],
    ['Bitbucket Server', ['repository', 'links', 'clone'], 'boom'],
    ['Bitbucket Server', ['repository', 'links', 'clone'], [{ href: [] }]],
  ])('%s with %j set to %j is ignored', async (name, path, value) => {
    const { hints, take } = openIntake(senderOf(name));
    expect(await take(deliver(senderOf(name), { payload: within(name, path, value) }))).toMatchObject({ result: 'ignored' });
    expect(hints).toEqual([]);
  });
});

test.each([
  ['nested arrays', '['.repeat(1_000_000)],
  ['nested objects', '{"a":'.repeat(200_000)],
  ['nested arrays around a number that a double cannot hold', `${'['.repeat(400_000)}12345678901234567890${']'.repeat(400_000)}`],
  ['a text without an end', `"${'a'.repeat(1_000_000)}`],
  ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x7b, 0x7d])],
  ['NULs', '\0'.repeat(1000)],
  ['nothing', ''],
])('a signed body of %s is malformed', async (_name, body) => {
  const sender = senderOf('GitHub');
  expect(await openIntake(sender).take(deliver(sender, { body }))).toEqual({ result: 'malformed', reason: 'the body is not JSON' });
});

test('a body well nested as deep as it can be is ignored', async () => {
  const sender = senderOf('GitHub');
  const body = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  expect(await openIntake(sender).take(deliver(sender, { body }))).toMatchObject({ result: 'ignored' });
});

test('keys that JavaScript knows are data, and nothing else changes by them', async () => {
  const sender = senderOf('GitHub');
  const { hints, take } = openIntake(sender);
  const trick = '{"repository":{"clone_url":"https://github.com/evil/x"},"ref":"refs/heads/main","after":"b7d2e9f04c6a81533e9d0f2a7c4b6e8d1a5f3c97","polluted":true}';
  await take(deliver(sender, { body: `{"__proto__":${trick},"constructor":{"prototype":${trick}}}` }));
  expect(hints).toEqual([]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
