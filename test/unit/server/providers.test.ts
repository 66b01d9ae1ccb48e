import { describe, expect, test } from 'vitest';
import { providers } from '../../../src/server/providers/providers.ts';
import { senders, type Sender } from '../../fixtures/webhooks/senders.ts';
import { deliver, openIntake, senderOf } from './open-intake.ts';

test('there is a sample of every provider', () => {
  expect(new Set(senders.map(({ provider }) => provider))).toEqual(new Set(Object.keys(providers)));
});

describe.each(senders)('$name', (sender) => {
  const hint = { receiver: 'fleet', repositories: sender.repositories, references: sender.references };

  test('a push with a good signature is one hint', async () => {
    const { hints, take } = openIntake(sender);
    expect(await take(deliver(sender))).toEqual({ result: 'accepted' });
    expect(hints).toEqual([hint]);
  });

  test('either secret will do while they are changed, and no other', async () => {
    const { hints, take } = openIntake(sender);
    const [first, second] = sender.secrets;
    expect(await take(deliver(sender, { secret: second }))).toEqual({ result: 'accepted' });
    expect(hints).toEqual([hint]);
    const later = openIntake(sender, { secrets: async () => [second] });
    expect(await later.take(deliver(sender, { secret: first }))).toMatchObject({ result: 'unauthorized' });
    expect(later.hints).toEqual([]);
  });

  test.each([
    ['a wrong secret', deliver(sender, { secret: `${sender.secrets[0].slice(0, -2)}X=` })],
    ['an empty secret', deliver(sender, { secret: '' })],
    ['no headers at all', { ...deliver(sender), headers: {} }],
    ['headers that are all empty', { ...deliver(sender), headers: Object.fromEntries(Object.keys(deliver(sender).headers).map((name) => [name, ''])) }],
    ['headers that came twice', { ...deliver(sender), headers: Object.fromEntries(Object.entries(deliver(sender).headers).map(([name, value]) => [name, `${String(value)}, ${String(value)}`])) }],
  ])('%s is refused, whatever the body says', async (_name, delivery) => {
    const { hints, take } = openIntake(sender);
    expect(await take(delivery)).toMatchObject({ result: 'unauthorized' });
    expect(hints).toEqual([]);
  });

  test('the same delivery again is no hint', async () => {
    const { hints, take } = openIntake(sender);
    const results = [];
    for (let count = 0; count < 100; count += 1) results.push((await take(deliver(sender))).result);
    expect(results).toEqual(['accepted', ...Array.from({ length: 99 }, () => 'duplicate')]);
    expect(hints).toHaveLength(1);
  });

  test('another delivery is another hint', async () => {
    const { hints, take } = openIntake(sender);
    await take(deliver(sender));
    const id = 'delivery-2';
    expect(await take(deliver(sender, { id, ...(sender.withId && { payload: sender.withId(id) }) }))).toEqual({ result: 'accepted' });
    expect(hints).toHaveLength(2);
  });
});

const withSignedBody = senders.filter(({ name }) => !/token$|Azure/.test(name) || name.includes('signing'));

test.each(withSignedBody)('$name: a body that was changed after it was signed is refused', async (sender) => {
  const { hints, take } = openIntake(sender);
  const { headers, body } = deliver(sender);
  expect(await take({ headers, body: Buffer.concat([body, Buffer.from(' ')]) })).toMatchObject({ result: 'unauthorized' });
  expect(hints).toEqual([]);
});

const withEvents = senders.filter((sender): sender is Sender & Required<Pick<Sender, 'otherEvent' | 'deletion'>> => sender.otherEvent !== undefined && sender.deletion !== undefined);

describe.each(withEvents)('$name', (sender) => {
  test('an event that is no push is taken and ignored', async () => {
    const { hints, take } = openIntake(sender);
    const { headers, body } = deliver(sender, { payload: sender.otherEvent.body });
    expect(await take({ headers: { ...headers, ...sender.otherEvent.headers }, body })).toEqual({ result: 'ignored', reason: 'the event is not a push' });
    expect(hints).toEqual([]);
  });

  test('a deleted branch is taken and ignored', async () => {
    const { hints, take } = openIntake(sender);
    expect(await take(deliver(sender, { payload: sender.deletion }))).toEqual({ result: 'ignored', reason: 'no branch or tag points to a new commit' });
    expect(hints).toEqual([]);
  });
});

test('a branch and a tag of one name are told apart', async () => {
  const sender = senderOf('GitHub');
  const { hints, take } = openIntake(sender);
  await take(deliver(sender, { payload: { ...sender.sample, ref: 'refs/heads/v1' }, id: '1' }));
  await take(deliver(sender, { payload: { ...sender.sample, ref: 'refs/tags/v1' }, id: '2' }));
  expect(hints.map(({ references }) => references)).toEqual([['refs/heads/v1'], ['refs/tags/v1']]);
});

test('a new branch is a push from nowhere', async () => {
  const sender = senderOf('GitHub');
  const { hints, take } = openIntake(sender);
  await take(deliver(sender, { payload: { ...sender.sample, before: '0'.repeat(40), created: true } }));
  expect(hints).toHaveLength(1);
});

test.each(['Push Hook', 'Tag Push Hook', 'System Hook'])('GitLab: %s counts', async (event) => {
  const sender = senderOf('GitLab with a secret token');
  const { hints, take } = openIntake(sender);
  const { headers, body } = deliver(sender, { payload: { ...sender.sample, object_kind: 'tag_push', ref: 'refs/tags/v1' } });
  await take({ headers: { ...headers, 'x-gitlab-event': event }, body });
  expect(hints.map(({ references }) => references)).toEqual([['refs/tags/v1']]);
});

test('GitLab: a system hook about something else does not count', async () => {
  const sender = senderOf('GitLab with a secret token');
  const { take } = openIntake(sender);
  const { headers, body } = deliver(sender, { payload: { ...sender.sample, object_kind: 'merge_request' } });
  expect(await take({ headers: { ...headers, 'x-gitlab-event': 'System Hook' }, body })).toMatchObject({ result: 'ignored' });
});

test('GitLab: a bad signature is not saved by a good token', async () => {
  const sender = senderOf('GitLab with a signing token');
  const { take } = openIntake(sender);
  const { headers, body } = deliver(sender);
  const forged = { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}=`, 'x-gitlab-token': sender.secrets[0] };
  expect(await take({ headers: forged, body })).toMatchObject({ result: 'unauthorized' });
});

test('Azure DevOps: the user name counts where one is set, and does not where none is', async () => {
  const sender = senderOf('Azure DevOps with a password');
  const delivery = deliver(sender);
  const as = (user: string) => ({ ...delivery, headers: { ...delivery.headers, authorization: `Basic ${Buffer.from(`${user}:${sender.secrets[0]}`).toString('base64')}` } });
  const anyone = { ...sender, settings: {} };
  expect(await openIntake(sender).take(as('someone'))).toMatchObject({ result: 'unauthorized' });
  expect(await openIntake(sender).take(as(''))).toMatchObject({ result: 'unauthorized' });
  expect(await openIntake(anyone).take(as('someone'))).toEqual({ result: 'accepted' });
  expect(await openIntake(anyone).take(as(''))).toEqual({ result: 'accepted' });
});

test('Azure DevOps: where a header is set, a password does not count', async () => {
  const password = deliver(senderOf('Azure DevOps with a password'));
  expect(await openIntake(senderOf('Azure DevOps with a header')).take(password)).toMatchObject({ result: 'unauthorized' });
});

describe('greetings', () => {
  test('GitHub says ping', async () => {
    const sender = senderOf('GitHub');
    const { hints, take } = openIntake(sender);
    const { headers, body } = deliver(sender, { payload: { zen: 'Keep it simple.', hook_id: 1 } });
    expect(await take({ headers: { ...headers, 'x-github-event': 'ping' }, body })).toEqual({ result: 'ping' });
    expect(hints).toEqual([]);
  });

  test('Bitbucket Server greets without a signature, and that is all it may do so', async () => {
    const sender = senderOf('Bitbucket Server');
    const { hints, take } = openIntake(sender);
    const { headers, body } = deliver(sender);
    const { 'x-hub-signature': signature, ...unsigned } = headers;
    const ping = { 'x-event-key': 'diagnostics:ping' };
    expect(await take({ headers: { ...unsigned, ...ping }, body: Buffer.from('{"test":true}') })).toEqual({ result: 'ping' });
    expect(await take({ headers: { ...headers, ...ping }, body })).toEqual({ result: 'ping' });
    expect(await take({ headers: { ...unsigned, ...ping, 'x-hub-signature': `${String(signature)}0` }, body })).toMatchObject({ result: 'unauthorized' });
    expect(await take({ headers: unsigned, body })).toMatchObject({ result: 'unauthorized' });
    expect(hints).toEqual([]);
  });
});

describe('forms', () => {
  const form = (payload: string): string => new URLSearchParams({ payload }).toString();
  const contentType = { 'content-type': 'application/x-www-form-urlencoded' };

  test('GitHub signs the form as it is sent', async () => {
    const sender = senderOf('GitHub');
    const { hints, take } = openIntake(sender);
    const { headers, body } = deliver(sender, { body: form(JSON.stringify(sender.sample)) });
    expect(await take({ headers: { ...headers, ...contentType }, body })).toEqual({ result: 'accepted' });
    expect(hints).toHaveLength(1);
  });

  test.each(['gitea', 'forgejo', 'gogs'])('%s signs the JSON in the form', async (name) => {
    const sender = senderOf(name);
    const { hints, take } = openIntake(sender);
    const text = JSON.stringify(sender.sample);
    const { headers } = deliver(sender, { body: text });
    expect(await take({ headers: { ...headers, ...contentType }, body: Buffer.from(form(text)) })).toEqual({ result: 'accepted' });
    expect(hints.map(({ repositories }) => repositories)).toEqual([sender.repositories]);
  });

  test.each(['', 'payload', 'other={}', 'payload=%zz', 'payload={}&payload={}'])('a form that is "%s" is malformed', async (text) => {
    const sender = senderOf('GitHub');
    const { headers, body } = deliver(sender, { body: text });
    expect(await openIntake(sender).take({ headers: { ...headers, ...contentType }, body })).toEqual({ result: 'malformed', reason: 'the body is not JSON' });
  });
});

describe('a generic sender', () => {
  const sender = senderOf('generic with a bearer token');
  const own = { repository: 'https://git.example.com/acme/other', reference: 'live' };
  const both = ['refs/heads/live', 'refs/tags/live'];

  test.each([
    ['what the body says', '{"repo":"https://h/x","ref":"refs/heads/main"}', {}, ['h/x'], ['refs/heads/main']],
    ['a short name, which may be a branch or a tag', '{"repo":"https://h/x","ref":"live"}', {}, ['h/x'], both],
    ['any reference where none is named', '{"repo":"https://h/x"}', {}, ['h/x'], 'any'],
    ['any reference where it is null', '{"repo":"https://h/x","ref":null}', {}, ['h/x'], 'any'],
    ["the receiver's own repository and reference", '{}', own, ['git.example.com/acme/other'], both],
    ["the receiver's own, without a body", '', own, ['git.example.com/acme/other'], both],
    ["the receiver's own repository and any reference", '', { repository: own.repository }, ['git.example.com/acme/other'], 'any'],
    ['a body that says what the receiver is for', '{"repo":"git@git.example.com:acme/other.git","ref":"refs/tags/live"}', own, ['git.example.com/acme/other'], ['refs/tags/live']],
  ])('hints at %s', async (_name, body, settings, repositories, references) => {
    const { hints, take } = openIntake(sender, settings);
    expect(await take(deliver(sender, { body }))).toEqual({ result: 'accepted' });
    expect(hints).toEqual([{ receiver: 'fleet', repositories, references }]);
  });

  test.each([
    ['', 'no repository is named'],
    ['{"ref":"main"}', 'no repository is named'],
    ['{"repo":7}', 'repo is not a text'],
    ['{"repo":"https://h/x","ref":["main"]}', 'ref is not the name of a branch or tag'],
    ['{"repo":"https://h/x","ref":"a..b"}', 'ref is not the name of a branch or tag'],
    ['[]', 'the body is not an object with repo and ref'],
    ['null', 'the body is not an object with repo and ref'],
    ['{', 'the body is not JSON'],
  ])('is told what is wrong with %s', async (body, reason) => {
    expect(await openIntake(sender).take(deliver(sender, { body }))).toEqual({ result: 'malformed', reason });
  });

  test('may kick again and again where it gives no ids', async () => {
    const { hints, take } = openIntake(sender, own);
    const { headers, body } = deliver(sender, { body: '' });
    const { 'webhook-id': _id, ...without } = headers;
    for (let count = 0; count < 3; count += 1) expect(await take({ headers: without, body })).toEqual({ result: 'accepted' });
    expect(hints).toHaveLength(3);
  });
});

test('without an id a push is known again by its body', async () => {
  const sender = senderOf('GitHub');
  const { hints, take } = openIntake(sender);
  const { headers, body } = deliver(sender);
  const { 'x-github-delivery': _id, ...without } = headers;
  expect([await take({ headers: without, body }), await take({ headers: without, body })]).toMatchObject([{ result: 'accepted' }, { result: 'duplicate' }]);
  expect(hints).toHaveLength(1);
});
