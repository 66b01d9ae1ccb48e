import { describe, expect, test } from 'vitest';
import type { Diff, ResourceKey } from '../../../src/model/index.ts';
import { at, changed, everything, fieldChange, findings, missing, objectWith, owner, same } from '../../support/example-diffs.ts';
import { show } from './show.ts';

const markdown = (...diffs: readonly Diff[]): string => show('markdown', diffs).data;

test('all in sync is a headline and the counts', () => {
  expect(markdown(same(), same())).toBe('### Setpoint: 2 resources in sync\n\n<p>2 in sync (context <code>c</code>)</p>\n');
});

test('a change is folded up, with the text diff and who did it', () => {
  expect(markdown(changed([fieldChange({ live: 'live', desired: 'git', owners: [owner('kubectl')] })]), same())).toBe(
    [
      '### Setpoint: 1 of 2 resources differs',
      '',
      '<p>1 changed, 1 in sync (context <code>c</code>)</p>',
      '',
      '<details><summary><code>ConfigMap shop/a</code> 1 field changed</summary>',
      '',
      '```diff',
      '@@ -4,4 +4,4 @@',
      '   name: a',
      '   namespace: shop',
      ' data:',
      '-  x: live',
      '+  x: git',
      '```',
      '',
      '<table>',
      '<tr><th>field</th><th>by whom, when</th><th></th></tr>',
      '<tr><td><code>data.x</code></td><td><code>by kubectl, time not recorded</code></td><td></td></tr>',
      '</table>',
      '',
      '<p>from <code>a.yaml#1</code></p>',
      '',
      '</details>\n',
    ].join('\n'),
  );
});

test('every outcome, obstacle, warning and finding has its place', () => {
  const text = show('markdown', everything, { findings }).data;
  expect(text).toMatch(/^### Setpoint: 5 of 8 resources differ, 2 could not be compared\n/);
  for (const said of [
    '<p><code>sync would be denied: policy says no</code></p>',
    '<p><code>not confirmed by the server: a webhook does not support dry run</code></p>',
    '<p><code>sync would need to delete and create it: data is immutable</code></p>',
    '<code>contested: keda (scale) holds this field, as an autoscaler does; remove it from Git or stop that writer</code>',
    '<code>left behind: Git had it, an apply does not remove it</code>',
    'added by hand, not in Git',
    '<p>waits for <code>CustomResourceDefinition widgets.example.com</code></p>',
    '<summary><code>ConfigMap shop/a</code> terminating</summary>',
    '<p><code>not allowed to get configmaps</code></p>',
    '<p>error in <code>b.yaml#1</code>: <code>line 3: not YAML</code></p>',
  ]) {
    expect(text).toContain(said);
  }
});

test('--context-lines counts here too', () => {
  expect(show('markdown', [changed([])], { contextLines: 0 }).data).toContain('@@ -7,1 +7,1 @@\n-  x: live\n+  x: git\n```');
});

describe('bounds', () => {
  const many = (count: number, value: string): readonly Diff[] =>
    Array.from({ length: count }, (_, index) => changed([fieldChange()], { key: `/ConfigMap/shop/a${index}` as ResourceKey, before: objectWith({}), after: objectWith({ value }) }));

  test.each<[string, readonly Diff[]]>([
    ['many resources', many(2000, 'x')],
    ['long texts', many(10, 'line\n'.repeat(10_000))],
    ['one endless line', many(3, 'x'.repeat(1_000_000))],
    ['many fields', [changed(Array.from({ length: 5000 }, () => fieldChange({ display: 'x'.repeat(300) })))]],
    ['markup that grows when it is escaped', many(50, '').map((diff) => ({ ...diff, changes: Array.from({ length: 50 }, () => fieldChange({ display: '"'.repeat(2000) })) }) as Diff)],
    ['a long message', [{ ...at, type: 'invalid', message: '<'.repeat(500_000) }]],
  ])('%s stay below what GitHub takes', (_name, diffs) => {
    expect(markdown(...diffs).length).toBeLessThan(60_000);
  });

  test('what is left out is counted, and the headline still counts everything', () => {
    const text = markdown(...many(2000, 'x'));
    const shown = text.split('<details>').length - 1;
    expect(shown).toBeGreaterThan(50);
    expect(text).toContain('### Setpoint: 2000 of 2000 resources differ\n');
    expect(text).toContain(`… and ${2000 - shown} more, left out`);
  });

  test('a resource that is too large does not hide those after it', () => {
    const large = Array.from({ length: 50 }, () => fieldChange({ display: '"'.repeat(2000) }));
    const text = markdown(changed(large), missing({ key: '/ConfigMap/shop/z' as ResourceKey }));
    expect(text).toContain('ConfigMap shop/z');
    expect(text).toContain('… and 1 more, left out');
  });

  test('lines and fields that are left out are counted', () => {
    expect(markdown(...many(1, 'line\n'.repeat(10_000)))).toMatch(/\n… and \d+ more lines\n```\n/);
    expect(markdown(changed(Array.from({ length: 60 }, () => fieldChange())))).toContain('<p>… and 10 more fields</p>');
    expect(markdown(...many(1, 'x'.repeat(600)))).toMatch(/… \(\d+ more characters\)\n```/);
  });
});

describe('what comes from others cannot break out', () => {
  const hostile = '</code></summary><img src=x onerror=alert(1)> @everyone #1 | `` ``` \n\n## x [a](javascript:b) \u001b[31m';
  const diff = changed([fieldChange({ display: hostile, live: hostile, desired: hostile, owners: [owner(hostile)] })], {
    key: `/ConfigMap/shop/${hostile.replaceAll('/', '')}` as ResourceKey,
    origin: hostile,
    before: objectWith({ x: hostile }),
    after: objectWith({ x: `${hostile}\n\`\`\`\`\`\nend` }),
    warnings: [hostile],
  });
  const text = show('markdown', [diff, { ...at, type: 'invalid', message: hostile }], { findings: [{ severity: 'error', origin: hostile, message: hostile }] }).data;
  const outsideFences = text.replaceAll(/^(`{3,})diff\n[\s\S]*?^\1$/gm, '');

  test('the fence is longer than any run of backticks in it', () => {
    expect(text).toMatch(/^`{6}diff$/m);
    expect(outsideFences).not.toContain('`````');
  });

  test('there is no markup but ours', () => {
    const tags = [...outsideFences.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    expect(new Set(tags)).toEqual(new Set(['<p>', '</p>', '<code>', '</code>', '<details>', '</details>', '<summary>', '</summary>', '<table>', '</table>', '<tr>', '</tr>', '<th>', '</th>', '<td>', '</td>']));
  });

  test('mentions, links and headings stand inside code, within a block of HTML', () => {
    const outsideCode = outsideFences.replaceAll(/<code>[^<]*<\/code>/g, '');
    expect(outsideCode).not.toMatch(/@|javascript|#1|`|\|/);
    for (const line of outsideFences.split('\n').slice(2)) expect(line).toMatch(/^$|^<\/?(?:p|details|table|tr)>/);
  });

  test('control characters are gone', () => {
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
