import { describe, expect, test } from 'vitest';
import { canonicalJson, parseJson, stringifyJson } from '../../../src/model/index.ts';

describe('integers that a double cannot hold', () => {
  test.each(['9007199254740993', '-9007199254740993', '9223372036854775807', '18446744073709551615'])('%s survives reading and writing', (text) => {
    expect(parseJson(`{"a":[${text}]}`)).toEqual({ a: [BigInt(text)] });
    expect(stringifyJson(parseJson(`{"a":[${text}]}`))).toBe(`{"a":[${text}]}`);
  });

  test('those that fit stay numbers, beside one that does not', () => {
    expect(parseJson('[1, 9007199254740991, 9007199254740993, 1.5, "9007199254740993"]')).toEqual([
      1,
      9_007_199_254_740_991,
      9_007_199_254_740_993n,
      1.5,
      '9007199254740993',
    ]);
  });

  test('a float with many digits stays a float', () => {
    expect(parseJson('[0.1234567890123456789, 1e300]')).toEqual([0.123_456_789_012_345_68, 1e300]);
  });
});

test('a key named __proto__ is data', () => {
  const parsed = parseJson('{"__proto__": {"a": 1}}');
  expect(Object.keys(parsed as object)).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  expect(canonicalJson(parsed)).toBe('{"__proto__":{"a":1}}');
});

test('the canonical text does not depend on the order of keys', () => {
  expect(canonicalJson({ b: [{ y: 1, x: 2 }], a: null })).toBe(canonicalJson({ a: null, b: [{ x: 2, y: 1 }] }));
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }));
});
