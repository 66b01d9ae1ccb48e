import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSchemas } from '../../../src/cluster/schemas.ts';
import type { ApiAnswer, ApiRequest, Transport } from '../../../src/cluster/transport.ts';
import { SetpointError, type ServedKind } from '../../../src/model/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const kind: ServedKind = { group: 'g', version: 'v1', kind: 'X', resource: 'xs', namespaced: true, hasStatus: false };
const other: ServedKind = { ...kind, group: 'other' };
const signal = new AbortController().signal;
const good = JSON.stringify({ components: { schemas: { X: { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-group-version-kind': [{ kind: 'X' }] } } } });

type Answer = string | { readonly status: number; readonly text?: string };

/** What a server answers, by URL without the hash; and what it was asked. */
function serve(answers: Readonly<Record<string, Answer | (() => Answer)>>): { readonly transport: Transport; readonly asked: string[] } {
  const asked: string[] = [];
  const send = async ({ path, signal: until }: ApiRequest): Promise<ApiAnswer> => {
    asked.push(path);
    await nextTurn();
    until.throwIfAborted();
    const found = answers[path] ?? { status: 404 };
    const answer = typeof found === 'function' ? found() : found;
    return typeof answer === 'string' ? { status: 200, text: answer } : { text: '', ...answer };
  };
  return { asked, transport: { send, stream: () => Promise.reject(new Error('no streams')), close: () => Promise.resolve() } };
}

const urlOf = (group: string, text: string): string => `/openapi/v3/apis/${group}/v1?hash=${createHash('sha512').update(text).digest('hex').toUpperCase()}`;
const indexOf = (urls: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ paths: Object.fromEntries(Object.entries(urls).map(([group, url]) => [`apis/${group}/v1`, { serverRelativeURL: url }])) });
const both = indexOf({ g: urlOf('g', good), other: urlOf('other', good) });
const documentPath = '/openapi/v3/apis/g/v1';

test.each<[string, Answer]>([
  ['is no JSON', '<html>'],
  ['is nothing', ''],
  ['is another thing', '[]'],
  ['has no schemas', '{"components":null}'],
  ['has schemas of a wrong shape', '{"components":{"schemas":[1]}}'],
  ['has a kind of a wrong shape', '{"components":{"schemas":{"X":{"x-kubernetes-group-version-kind":[{"kind":7}]}}}}'],
  ['is nested without end', '['.repeat(200_000) + ']'.repeat(200_000)],
  ['is of a server that is down', { status: 503, text: 'service unavailable' }],
  ['is not allowed', { status: 403 }],
  ['is gone', { status: 404 }],
])('a document that %s gives no schema, is asked for once, and is nobody else’s trouble', async (_name, answer) => {
  const { transport, asked } = serve({ '/openapi/v3': both, [documentPath]: answer, '/openapi/v3/apis/other/v1': good });
  const schemas = createSchemas(transport);
  expect(await Promise.all([schemas.find(kind, signal), schemas.find(kind, signal)])).toEqual([undefined, undefined]);
  expect(await schemas.find(kind, signal)).toBeUndefined();
  expect(await schemas.find(other, signal)).toMatchObject({ schema: { type: 'struct' } });
  expect(asked.filter((path) => path === documentPath)).toHaveLength(1);
});

test.each<[string, Answer]>([
  ['is no JSON', 'x'],
  ['has no paths', '{}'],
  ['has paths of a wrong shape', '{"paths":{"apis/g/v1":"x"}}'],
  ['leads elsewhere', indexOf({ g: '@elsewhere.example/openapi' })],
  ['is not allowed', { status: 403 }],
  ['fails', { status: 500 }],
])('an index that %s gives no schema', async (_name, answer) => {
  const { transport, asked } = serve({ '/openapi/v3': answer });
  expect(await createSchemas(transport).find(kind, signal)).toBeUndefined();
  expect(asked).toEqual(['/openapi/v3']);
});

test('a refused login is told', async () => {
  const { transport } = serve({ '/openapi/v3': { status: 401 } });
  await expect(createSchemas(transport).find(kind, signal)).rejects.toBeInstanceOf(SetpointError);
});

test('what could not be read is asked for again after a refresh, and what could be is not', async () => {
  let isUp = false;
  const { transport, asked } = serve({ '/openapi/v3': both, [documentPath]: () => (isUp ? good : { status: 503 }), '/openapi/v3/apis/other/v1': good });
  const schemas = createSchemas(transport);
  expect(await schemas.find(kind, signal)).toBeUndefined();
  await schemas.find(other, signal);
  isUp = true;
  schemas.refresh();
  expect(await schemas.find(kind, signal)).toBeDefined();
  await schemas.find(other, signal);
  expect(asked).toEqual(['/openapi/v3', documentPath, '/openapi/v3/apis/other/v1', '/openapi/v3', documentPath]);
});

test('a document that changed since the index was read is looked up again', async () => {
  const changed = good.replace('"a"', '"b"');
  const indexes = [indexOf({ g: urlOf('g', good) }), indexOf({ g: urlOf('g', changed) })];
  const documents: Answer[] = [{ status: 301 }, changed];
  const { transport } = serve({ '/openapi/v3': () => indexes.shift() ?? '', [documentPath]: () => documents.shift() ?? '' });
  const found = await createSchemas(transport).find(kind, signal);
  expect(found?.schema.type === 'struct' && [...found.schema.fields.keys()]).toEqual(['b']);
});

test('the hash follows the content', async () => {
  let text = good;
  const { transport } = serve({ '/openapi/v3': () => indexOf({ g: urlOf('g', text) }), [documentPath]: () => text });
  const schemas = createSchemas(transport);
  const before = await schemas.find(kind, signal);
  schemas.refresh();
  expect(await schemas.find(kind, signal)).toEqual(before);
  text = good.replace('"a"', '"b"');
  schemas.refresh();
  const after = await schemas.find(kind, signal);
  expect(before?.hash).toMatch(/^\d+-[0-9a-f]{128}$/);
  expect(after?.hash).not.toBe(before?.hash);
});

test('who gives up does not take the schema from those who wait', async () => {
  const { transport } = serve({ '/openapi/v3': both, [documentPath]: good });
  const schemas = createSchemas(transport);
  const off = new AbortController();
  const first = schemas.find(kind, off.signal);
  const second = schemas.find(kind, signal);
  off.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  expect(await second).toBeDefined();
});

test('a server that was out of reach is asked again', async () => {
  const { transport } = serve({ '/openapi/v3': both, [documentPath]: good });
  let isDown = true;
  const flaky: Transport = { ...transport, send: (request) => (isDown ? Promise.reject(new SetpointError('ClusterUnreachable', 'down')) : transport.send(request)) };
  const schemas = createSchemas(flaky);
  await expect(schemas.find(kind, signal)).rejects.toThrow('down');
  isDown = false;
  expect(await schemas.find(kind, signal)).toBeDefined();
});

test('the next process reads from disk, but never what a server called by a hash that is not its own', async () => {
  await using folder = await tempFolder();
  const bad = good.replace('"a"', '"lie"');
  const find = async (document: string): Promise<{ readonly asked: readonly string[]; readonly names: unknown; readonly hash: string | undefined }> => {
    const { transport, asked } = serve({ '/openapi/v3': both, [documentPath]: document });
    const found = await createSchemas(transport, { cacheFolder: folder.path }).find(kind, signal);
    return { asked, names: found?.schema.type === 'struct' && [...found.schema.fields.keys()], hash: found?.hash };
  };
  const lied = await find(bad);
  expect(lied.names).toEqual(['lie']);
  const first = await find(good);
  expect(first.names).toEqual(['a']);
  expect(first.hash).not.toBe(lied.hash);
  const second = await find('never asked');
  expect(second).toEqual({ asked: ['/openapi/v3'], names: ['a'], hash: first.hash });
});
