import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/model/index.ts';
import { readDocuments, writeDocuments } from '../../../../src/render/parse/document-text.ts';
import { parseYaml } from '../../../../src/render/yaml/parse-yaml.ts';
import { yamlInputs } from '../../../fixtures/yaml-inputs.ts';

const noPause = (): undefined => undefined;
const plenty = 2 ** 26;

async function roundTrip(value: Json): Promise<Json | undefined> {
  const text = writeDocuments({ documents: [{ index: 1, line: 1, value, findings: [] }], bytes: 7 }, plenty);
  const { documents, bytes } = await readDocuments(text ?? '', noPause);
  expect(bytes).toBe(7);
  return documents[0]?.value;
}

const long = 'x'.repeat(40_000);
const words = Array.from({ length: 5_000 }, (_, at) => `word ${at} of a list that is longer than a line`);
const proto = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "toString": null}') as Json;

describe('the documents of a file as text', () => {
  it.each<{ readonly what: string; readonly value: Json }>([
    { what: 'null', value: null },
    { what: 'an empty map and an empty list', value: { a: {}, b: [] } },
    { what: 'integers beyond a double', value: [9_007_199_254_740_993n, -9_223_372_036_854_775_808n, 100_000_000_000_000_000_000n] },
    { what: 'numbers that look like such integers', value: [1e21, 1.5e300, 9_007_199_254_740_991, -0.5] },
    { what: 'line breaks of all kinds and half a surrogate pair', value: 'a\nb\r\u2028\u2029\u0000\ud800' },
    { what: 'keys named like something of JavaScript', value: proto },
    { what: 'one string that is longer than a line', value: long },
    { what: 'long strings in a map', value: { a: long, b: [long, 1, long], '': long } },
    { what: 'a list of many', value: words },
    { what: 'a map of many, with bigints', value: Object.fromEntries(words.map((word, at) => [word, BigInt(at) + 2n ** 60n])) },
    { what: 'keys named like something of JavaScript among many', value: { many: words, deep: Object.fromEntries([...words.map((word) => [word, 1] as const), ...Object.entries(proto as { readonly [key: string]: Json })]) } },
    { what: 'a long value under the key __proto__', value: Object.fromEntries([['__proto__', words], ['other', words]]) },
    { what: 'many below many', value: { a: { b: { c: [words, { d: words }], e: long } } } },
  ])('gives back $what', async ({ value }) => {
    const back = await roundTrip(value);
    expect(back).toStrictEqual(value);
    expect(Object.keys(back as object | null ?? {})).toEqual(Object.keys(value as object | null ?? {}));
  });

  it('keeps a key __proto__ an own key, whatever it is part of', async () => {
    const back = await roundTrip(Object.fromEntries([['__proto__', words], ...words.map((word) => [word, word] as const)]));
    expect(Object.hasOwn(back as object, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  it('gives back every document of the table of what kubectl reads', async () => {
    for (const { text } of yamlInputs) {
      const documents = parseYaml(Buffer.from(text));
      expect((await readDocuments(writeDocuments({ documents, bytes: 0 }, plenty) ?? '', noPause)).documents).toStrictEqual(documents);
    }
  });

  it('has no long line but that of a long string', () => {
    const value = { list: words, map: Object.fromEntries(words.map((word) => [word, [word, { word }]])) };
    const text = writeDocuments({ documents: [{ index: 1, line: 1, value, findings: [] }], bytes: 0 }, plenty) ?? '';
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(40_000);
  });

  it('is none for more than the limit, however often one string is used', () => {
    const value = Array.from({ length: 10_000 }, () => long);
    expect(writeDocuments({ documents: [{ index: 1, line: 1, value, findings: [] }], bytes: 0 }, plenty)).toBeUndefined();
  });

  it.each(['', 'text', '1\n{"index":1', '1\n{"index":1}', '1\n{"index":1}\n[', '1\n{"index":1}\n.', '1\n{"index":1}\n[\n?', '1\n{"index":1}\n+[1]'])(
    'is not taken from %j',
    async (text) => {
      await expect(readDocuments(text, noPause)).rejects.toThrow(/./);
    },
  );

  it('is not taken from a text that is cut anywhere before its last line', async () => {
    const text = writeDocuments({ documents: parseYaml('a: 1\n---\nb: [1, 2]\n'), bytes: 0 }, plenty) ?? '';
    const whole = await readDocuments(text, noPause);
    for (let length = 0; length < text.length; length += 1) {
      const cut = await readDocuments(text.slice(0, length), noPause).catch(() => undefined);
      expect(cut?.documents.length ?? 0).toBeLessThan(whole.documents.length);
    }
  });

  it('waits between lines when it is told to', async () => {
    const text = writeDocuments({ documents: [{ index: 1, line: 1, value: words, findings: [] }], bytes: 0 }, plenty) ?? '';
    let pauses = 0;
    await readDocuments(text, () => Promise.resolve().then(() => void (pauses += 1)));
    expect(pauses).toBe(text.split('\n').length - 1);
  });
});
