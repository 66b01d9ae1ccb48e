import { applyPatch } from 'diff';
import { expect, test } from 'vitest';
import { yamlText } from '../../../src/cli/format/yaml-text.ts';
import type { KubeObject } from '../../../src/model/index.ts';
import { changed, fieldChange, missing, objectWith, owner, same } from '../../support/example-diffs.ts';
import { show } from './show.ts';

const long = (x: string): KubeObject => objectWith({ a: '1', b: '2', c: '3', d: '4', x, e: '5', f: '6', g: '7', h: '8' });
const many = (side: string, length: number): KubeObject => objectWith(Object.fromEntries(Array.from({ length }, (_, at) => [`${side}${at}`, side])));

test('a change is shown with its surroundings', () => {
  expect(show('unified', [changed([], { before: long('live'), after: long('git') })]).data).toBe(
    ['--- live ConfigMap shop/a', '+++ git ConfigMap shop/a\ta.yaml#1', '@@ -8,7 +8,7 @@', '   b: "2"', '   c: "3"', '   d: "4"', '-  x: live', '+  x: git', '   e: "5"', '   f: "6"', '   g: "7"\n'].join('\n'),
  );
});

test.each([
  [0, 0],
  [1, 2],
  [100, 14],
])('%i lines of context are %i around a change in the middle', (contextLines, lines) => {
  const text = show('unified', [changed([], { before: long('live'), after: long('git') })], { contextLines }).data;
  expect(text.split('\n').filter((line) => line.startsWith(' '))).toHaveLength(lines);
});

test('what is missing is added as a whole; what is in sync is silent', () => {
  expect(show('unified', [missing(), same()]).data).toContain('@@ -0,0 +1,7 @@\n+apiVersion: v1\n');
});

test('with --show-managers they stand before the file names, where patch skips them', () => {
  const diff = changed([fieldChange({ live: 1, desired: 2, owners: [owner('kubectl', { subresource: 'scale' })] })], { adopted: false });
  expect(show('unified', [diff], { showManagers: true }).data).toMatch(
    /^# not applied by Setpoint yet\n# data\.x {2}kubectl \(Update, scale\), time not recorded\n--- live ConfigMap shop\/a\n/,
  );
});

test('texts that have nothing in common are replaced as a whole', () => {
  const text = show('unified', [changed([], { before: many('live', 600), after: many('git', 600) })]).data;
  expect(text).toContain('@@ -1,606 +1,606 @@\n-apiVersion: v1\n');
  expect(text.split('\n')).toHaveLength(2 + 1 + 2 * 606 + 1);
});

test.each([
  ['a change', long('live'), long('git')],
  ['many changes', long('live'), objectWith({ a: '9', z: ['x'] })],
  ['all of it', many('live', 600), many('git', 600)],
])('applied to the live text, %s gives the text of Git', (_name, before, after) => {
  for (const contextLines of [0, 3]) {
    const patch = show('unified', [changed([], { before, after })], { contextLines, showManagers: true }).data;
    expect(applyPatch(yamlText(before), patch)).toBe(yamlText(after));
  }
});
