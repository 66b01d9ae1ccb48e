import { describe, expect, it } from 'vitest';
import { stringifyJson, type Json } from '../../../src/model/index.ts';
import { limits } from '../../../src/render/yaml/limits.ts';
import { parseYaml } from '../../../src/render/yaml/parse-yaml.ts';

/** `#2 line 4 {"b":2}` or `#1 line 1 syntax at 3`. */
function summary(content: string | Uint8Array): readonly string[] {
  return parseYaml(content).map(({ index, line, value, findings }) => {
    const error = findings.find(({ severity }) => severity === 'error');
    return `#${index} line ${line} ${error === undefined ? stringifyJson(value) : `${error.code} at ${error.line}`}`;
  });
}

function cleanValue(text: string): Json {
  const [document] = parseYaml(text);
  expect(document?.findings).toEqual([]);
  return document?.value ?? null;
}

function codes(content: string | Uint8Array): readonly string[] {
  return parseYaml(content).flatMap(({ findings }) => findings.map(({ code }) => code));
}

describe('documents of a file', () => {
  it.each([
    ['one without a document start', 'a: 1\n', ['#1 line 1 {"a":1}']],
    ['a start before the first', '---\na: 1\n---\nb: 2\n', ['#1 line 2 {"a":1}', '#2 line 4 {"b":2}']],
    ['comments before the first start, which are no document', '# c\n\n---\na: 1\n', ['#1 line 4 {"a":1}']],
    ['empty ones, which are left out and count', 'a: 1\n---\n---\n# c\n---\nb: 2\n---\n', ['#1 line 1 {"a":1}', '#4 line 6 {"b":2}']],
    ['two starts before the first', '---\n---\na: 1\n', ['#2 line 3 {"a":1}']],
    ['nulls, which kubectl passes over', '~\n---\nnull\n---\na: 1\n', ['#3 line 5 {"a":1}']],
    ['blank lines and comments before the value', 'a: 1\n---\n\n# c\n\nb: 2\n', ['#1 line 1 {"a":1}', '#2 line 6 {"b":2}']],
    ['Windows line ends', 'a: 1\r\n---\r\nb: 2\r\n', ['#1 line 1 {"a":1}', '#2 line 3 {"b":2}']],
    ['JSON values without a start between them', '{"a":1}\n{"a":2} {"a":3}', ['#1 line 1 {"a":1}', '#2 line 2 {"a":2}', '#3 line 2 {"a":3}']],
    ['JSON and then YAML', '{"a":1}\n---\nb: 010\n---\nc: 3\n', ['#1 line 1 {"a":1}', '#2 line 3 {"b":8}', '#3 line 5 {"c":3}']],
    ['none', '# nothing\n', []],
  ])('counts %s', (_what, text, expected) => {
    expect(summary(text)).toEqual(expected);
  });

  it.each([
    ['a syntax error', 'a: 1\n---\nb: [\n---\nc: 3\n', ['#1 line 1 {"a":1}', '#2 line 3 syntax at 4', '#3 line 5 {"c":3}']],
    ['text behind a start', 'a: 1\n--- b\nc: 2\n---\nd: 3\n', ['#1 line 1 {"a":1}', '#2 line 3 invalid-separator at 2', '#3 line 5 {"d":3}']],
    ['a document start with text at the end', 'a: 1\n--- b', ['#1 line 1 {"a":1}', '#2 line 2 invalid-separator at 2']],
    ['a directive', '%YAML 1.1\n---\na: 1\n', ['#1 line 1 directive at 1', '#2 line 3 {"a":1}']],
    ['a control character', 'a: 1\n---\nb: \u0007\n---\nc: 3\n', ['#1 line 1 {"a":1}', '#2 line 3 control-character at 3', '#3 line 5 {"c":3}']],
    ['an unknown alias', 'a: *x\n---\nb: 2\n', ['#1 line 1 unknown-alias at 1', '#2 line 3 {"b":2}']],
    ['a number beyond a double in JSON', '{"a":1e400}\n{"b":2}', ['#1 line 1 invalid-number at 1', '#2 line 2 {"b":2}']],
    ['a third JSON value that is none', '{"a":1}{}{\n---\nb: 2\n', ['#1 line 1 {"a":1}', '#2 line 1 {}', '#3 line 1 syntax at 1', '#4 line 3 {"b":2}']],
  ])('survive %s in one of them', (_what, text, expected) => {
    expect(summary(text)).toEqual(expected);
  });
});

describe('findings', () => {
  it.each([
    ['a duplicate key', 'a: 1\nb: 2\n\na: 3\n', 'duplicate-key', 4, /key a is there twice/],
    ['a duplicate key in JSON', '{\n"a": 1,\n"a": 2}', 'duplicate-key', 3, /key a is there twice/],
    ['a merge that wins over an explicit key', 'a: &a {k: 1}\nb:\n  k: 2\n  <<: *a\n', 'merge-order', 3, /key k loses to the one of the << below/],
    ['a tag that kubectl does not know', 'a:\n  b: !secret c\n', 'exotic-tag', 2, /!secret/],
    ['a key that becomes another', 'a:\n  on: 1\n', 'retyped-key', 2, /key on is read as true/],
    ['text behind a document end', 'a: 1\n...\nb: 2\n', 'ignored-text', 2, /ignores/],
  ])('warn of %s and where it is', (_what, text, code, line, message) => {
    expect(parseYaml(text)[0]?.findings).toEqual([{ severity: 'warning', code, line, message: expect.stringMatching(message) as string }]);
  });

  it('warn once of what an alias repeats', () => {
    expect(codes('a: &a {k: 1, k: 2}\nb: [*a, *a]\n')).toEqual(['duplicate-key']);
  });

  it('warn of no more than a person would read', () => {
    expect(codes(`a:\n${'  k: v\n'.repeat(1000)}`)).toHaveLength(limits.warningsPerDocument);
  });

  it.each([
    ['1 and "1"', 'a: {1: x, "1": y}'],
    ['on and "true"', 'a: {on: x, "true": y}'],
    ['1 and 1.0', 'a: {1: x, 1.0: y}'],
    ['not-a-number twice', 'a: {.nan: x, .nan: y}'],
  ])('refuse the keys %s, between which kubectl chooses at random', (_what, text) => {
    expect(codes(text)).toEqual(['ambiguous-key']);
  });

  it('never quote a value', () => {
    const broken = ['a: hunter2: x', 'a: "hunter2\\q"', 'a: [hunter2', '- a\nhunter2', 'a: !!int hunter2', "a: 'hunter2' hunter2"];
    const messages = broken.flatMap((text) => parseYaml(text).flatMap(({ findings }) => findings.map(({ message }) => message)));
    expect(messages).toHaveLength(broken.length);
    expect(messages.filter((message) => message.includes('hunter2'))).toEqual([]);
  });
});

describe('bytes', () => {
  it('are refused when they are not UTF-8', () => {
    expect(codes(Uint8Array.from([0x61, 0x3a, 0x20, 0xff]))).toEqual(['invalid-utf8']);
  });

  it('may start with a byte order mark', () => {
    expect(summary(new TextEncoder().encode('\uFEFFa: 1\n'))).toEqual(['#1 line 1 {"a":1}']);
  });
});

describe('limits', () => {
  const chain = (levels: number, width: number): string =>
    `a0: &a0 [x]\n${Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(width)}]\n`).join('')}`;
  const repeated = (name: string, items: number, times: number): string =>
    `${name}: &${name} [${'x, '.repeat(items)}]\n${name}s: [${`*${name}, `.repeat(times)}]\n`;
  const honestAliases = (count: number): string => `a: &a x\nb:\n${'- *a\n'.repeat(count)}`;
  it.each([
    ['a file over 4 MiB', `a: ${'x'.repeat(limits.fileBytes)}`, 'too-large'],
    ['10,000 nested brackets', `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'too-deep'],
    ['a million open brackets', '['.repeat(1_000_000), 'too-deep'],
    ['a million open maps in JSON', '{"a":'.repeat(500_000), 'too-deep'],
    ['a million nested lists on one line', '- '.repeat(1_000_000), 'too-deep'],
    ['a map that is indented 2,000 times', Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''), 'too-deep'],
    ['aliases that nest without end', chain(200, 1), 'too-deep'],
    ['an alias bomb', chain(9, 9), 'excessive-aliasing'],
    ['a slow alias bomb', repeated('a', 2000, 99) + repeated('b', 2000, 99), 'too-many-nodes'],
    ['more than 10,000 aliases', honestAliases(10_001), 'too-many-aliases'],
    ['a JSON list of more than 200,000 items', `{"a": [${'1,'.repeat(200_000)}1]}`, 'too-many-nodes'],
    ['more than 20,000 documents', 'a\n---\n'.repeat(20_001), 'too-many-documents'],
  ])('refuse %s', (_what, text, code) => {
    expect(codes(text)).toEqual([code]);
  });

  it('add up the aliases of many documents', () => {
    const text = Array.from({ length: 8 }, () => repeated('a', 400, 90)).join('---\n');
    expect(codes(text)).toEqual(['too-many-nodes', 'too-many-nodes', 'too-many-nodes']);
  });

  it('leave room for what is honest', () => {
    expect(codes(honestAliases(9000))).toEqual([]);
    expect(codes(`a: ${'['.repeat(limits.depth - 1)}${']'.repeat(limits.depth - 1)}`)).toEqual([]);
  });

  it('let a map of 20,000 keys and a text of 2 MiB pass', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `  key-${i}: value\n`).join('');
    const { data } = cleanValue(`data:\n${keys}text: |\n${`  ${'x'.repeat(98)}\n`.repeat(20_000)}`) as { data: object };
    expect(Object.keys(data)).toHaveLength(20_000);
  });
});

describe('hostile keys', () => {
  it.each([
    'a: {__proto__: {polluted: 1}}',
    '{"a": {"__proto__": {"polluted": 1}}}',
    'b: &b {polluted: 1}\na: {__proto__: *b, <<: {constructor: {prototype: *b}}}',
  ])('are keys like any other in %s', (text) => {
    const { a } = cleanValue(text) as { a: object };
    expect(Object.hasOwn(a, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(a)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });
});
