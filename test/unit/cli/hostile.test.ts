import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { diffFormats, type DiffFormat } from '../../../src/cli/format/format-options.ts';
import { oneLine, printable } from '../../../src/cli/format/printable.ts';
import { yamlText } from '../../../src/cli/format/yaml-text.ts';
import type { Diff, Finding, Json, KubeObject, ResourceKey } from '../../../src/model/index.ts';
import { changed, everything, fieldChange, missing, objectWith, owner, same } from '../../support/example-diffs.ts';
import { show } from './show.ts';

// Clears the screen, sets the title, writes the clipboard; the same with one-byte introducers; overwrites the line; mirrors text.
const hostile = '\u001B[2J\u001B]0;x\u0007\u001B]52;c;aGk=\u0007\u009B2J\u009D0;x\u009C\r\b\u0000\u007F\u202Eabc\u2066\u2028\u0085';
const unsafe = /[[\p{Cc}\p{Bidi_Control}\u2028\u2029]--[\n\t]]/v;

function poisoned(): readonly Diff[] {
  const key = `g${hostile}/K${hostile}/n${hostile}/n${hostile}` as ResourceKey;
  const where = { key, origin: hostile };
  const writer = owner(hostile, { operation: hostile, subresource: hostile, time: hostile });
  const change = fieldChange({
    path: hostile,
    display: `${hostile}\n`,
    live: { [hostile]: hostile },
    desired: [hostile, `${hostile}\nline`],
    owners: [writer],
    seen: { seenAt: hostile, notBefore: hostile, writers: [writer] },
    standing: 'contested',
  });
  const object = objectWith({ [hostile]: hostile, list: [hostile] });
  const remarks = { foreign: [{ ...change, live: hostile }], ignored: [change], sideEffects: [{ ...change, why: 'admission' as const }], adopted: false, warnings: [hostile] };
  return [
    changed([change, fieldChange({ live: 1, owners: [writer] })], { ...where, before: object, after: objectWith({}), obstacle: { type: 'denied', message: hostile }, unconfirmed: hostile, ...remarks }),
    missing({ ...where, after: object, waitsFor: hostile }),
    { ...where, type: 'terminating', message: hostile },
    { ...where, type: 'invalid', message: hostile },
    { ...where, type: 'unknown', code: 'Forbidden', message: hostile },
    same({ ...where, ...remarks }),
  ];
}

describe('whatever names and values hold, nothing steers the terminal', () => {
  const findings: readonly Finding[] = [{ severity: 'error', origin: hostile, message: hostile }];

  test.each(diffFormats)('in %s', (format) => {
    for (const shown of [true, false]) {
      const { data, remarks } = show(format, poisoned(), { findings, showIgnored: shown, showManagers: shown });
      expect(data + remarks).not.toMatch(unsafe);
    }
  });

  test.each(['json', 'yaml'] as const)('and %s still says what they are', (format) => {
    const report = parse(show(format, poisoned()).data, { version: '1.1' }) as { resources: { name: string }[] };
    expect(report.resources.map(({ name }) => name)).toEqual(poisoned().map(() => `n${hostile}`));
  });
});

test.each<[string, Json]>([
  ['control characters in a value', { a: 'x\u001B[31m\u009B' }],
  ['in a key', { '\u001B': 1 }],
  ['in a text of several lines', 'a\n\u001Bb\n'],
  ['a text that changes its direction', ['a\u202Eb', 'a\nb\u2066']],
  ['a byte order mark, and separators of lines', ['\uFEFFx', 'a\u2028b', 'a\u0085b']],
  ['a lone half of a pair', '\uD800'],
  ['tabs and line ends, which may stay', { a: 'x\ty\nz' }],
])('YAML is safe to print and says the same: %s', (_name, value) => {
  const text = yamlText(value);
  expect(text).not.toMatch(unsafe);
  expect(parse(text, { version: '1.1' })).toEqual(value);
});

test.each([
  ['a\nb\tc', String.raw`a\nb\tc`, String.raw`a b\tc`],
  ['\u001B[31m', String.raw`\u001b[31m`, String.raw`\u001b[31m`],
  ['  a \n\n  b\r\n c ', String.raw`  a \n\n  b\r\n c `, 'a b c'],
  ['größe 日本 🙂', 'größe 日本 🙂', 'größe 日本 🙂'],
])('%j as a name and as a message', (text, name, message) => {
  expect(printable(text)).toBe(name);
  expect(oneLine(text)).toBe(message);
});

describe('a format prints what the Diff holds, and nothing else', () => {
  const words = (text: string): Set<string> => new Set(text.match(/[\p{L}\p{N}]+/gu));
  const ours = (format: DiffFormat): Set<string> => words([everything, [changed([fieldChange({ live: 1 })])]].map((diffs) => show(format, diffs, { showManagers: true }).data).join(' '));
  const secret = (side: string): KubeObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, data: { password: `*** (${side})` } });
  const diff = changed([fieldChange({ path: '/data/password', display: 'data.password', live: '*** (before)', desired: '*** (after)' })], {
    key: '/Secret/shop/keys' as ResourceKey,
    before: secret('before'),
    after: secret('after'),
    patch: [{ op: 'replace', path: '/data/password', value: '*** (after)' }],
  });

  test.each(diffFormats)('%s', (format) => {
    const held = words(JSON.stringify(diff));
    const printed = [...words(show(format, [diff], { showIgnored: true, showManagers: true }).data)];
    expect(printed.filter((word) => !held.has(word) && !ours(format).has(word) && !/^\d{1,2}$/.test(word))).toEqual([]);
    expect(printed).toContain('keys');
  });
});
