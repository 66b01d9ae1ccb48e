import { describe, expect, test } from 'vitest';
import { createLineSplitter, parseWatchEvent } from '../../../../src/cluster/watch/watch-events.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('lines', () => {
  const lines = ['{"a":"é"}', '{"b":"漢字 🦊"}', '{"c":""}'];
  const whole = bytes(`${lines.join('\n')}\n`);

  test('are the same wherever the bytes are cut in two', () => {
    for (let at = 0; at <= whole.length; at += 1) {
      const split = createLineSplitter();
      expect([...split(whole.subarray(0, at)), ...split(whole.subarray(at))]).toEqual(lines);
    }
  });

  test.each([1, 2, 3, 5, 7])('are the same in pieces of %i bytes', (size) => {
    const split = createLineSplitter();
    const found: string[] = [];
    for (let at = 0; at < whole.length; at += size) found.push(...split(whole.subarray(at, at + size)));
    expect(found).toEqual(lines);
  });

  test('may be megabytes long', () => {
    const line = `{"big":"${'x🦊'.repeat(1_000_000)}"}`;
    const stream = bytes(`${line}\n{"next":1}\n`);
    const split = createLineSplitter();
    const found: string[] = [];
    for (let at = 0; at < stream.length; at += 65_536) found.push(...split(stream.subarray(at, at + 65_536)));
    expect(found.length).toBe(2);
    expect(found[0] === line).toBe(true);
  });

  test('that are empty are none', () => {
    expect(createLineSplitter()(bytes('\n\n{}\n\n'))).toEqual(['{}']);
  });

  test('that never end are refused', () => {
    const split = createLineSplitter(10);
    expect(split(bytes('12345\n123456'))).toEqual(['12345']);
    expect(() => split(bytes('78901'))).toThrow('more than 10 bytes');
  });
});

describe('an event', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '7' } };

  test.each([
    ['ADDED', 'changed'],
    ['MODIFIED', 'changed'],
    ['DELETED', 'deleted'],
  ])('%s means %s', (name, type) => {
    expect(parseWatchEvent(JSON.stringify({ type: name, object }))).toEqual({ type, object, resourceVersion: '7' });
  });

  test('keeps every digit of a large integer', () => {
    const line = '{"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"7"},"spec":{"size":9007199254740993}}}';
    expect(parseWatchEvent(line)).toMatchObject({ object: { spec: { size: 9_007_199_254_740_993n } } });
  });

  test('BOOKMARK names a version and no object', () => {
    expect(parseWatchEvent('{"type":"BOOKMARK","object":{"kind":"ConfigMap","metadata":{"resourceVersion":"9"}}}')).toEqual({ type: 'bookmark', resourceVersion: '9' });
  });

  test('ERROR is an answer of the server', () => {
    const status = { kind: 'Status', code: 429, message: 'slow down', details: { retryAfterSeconds: 2 } };
    expect(parseWatchEvent(JSON.stringify({ type: 'ERROR', object: status }))).toEqual({
      type: 'error',
      answer: { status: 429, text: JSON.stringify(status), retryAfterMs: 2000 },
    });
  });

  test.each([
    ['half of one', '{"type":"ADDED","object":{"metada'],
    ['text', 'Gateway Timeout'],
    ['a list', '[]'],
    ['one without an object', '{"type":"ADDED"}'],
    ['an object without a name', '{"type":"ADDED","object":{"metadata":{"resourceVersion":"7"}}}'],
    ['an object without a version', '{"type":"ADDED","object":{"metadata":{"name":"a"}}}'],
    ['a bookmark without a version', '{"type":"BOOKMARK","object":{"metadata":{}}}'],
    ['a type that does not exist', '{"type":"toString","object":{"metadata":{"name":"a","resourceVersion":"7"}}}'],
  ])('cannot be read from %s', (_what, line) => {
    expect(parseWatchEvent(line)).toEqual({ type: 'unreadable' });
  });
});
