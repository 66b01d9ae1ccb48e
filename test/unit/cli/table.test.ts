import { expect, test } from 'vitest';
import type { Diff, FieldChange, ResourceKey } from '../../../src/model/index.ts';
import { changed, everything, fieldChange, findings, missing, owner, same } from '../../support/example-diffs.ts';
import { show } from './show.ts';

const rows = (text: string): readonly string[][] => text.trimEnd().split('\n').map((line) => line.split(/ {2,}/));
const row = (diff: Diff): readonly string[] | undefined => rows(show('table', [diff]).data)[1];

test('every resource has a line of aligned columns, and every outcome its word', () => {
  const text = show('table', everything).data;
  expect(rows(text).map(([, status]) => status)).toEqual(['STATUS', 'changed', 'changed', 'missing', 'missing', 'terminating', 'refused', 'unknown', 'in sync']);
  const [header = '', ...lines] = text.trimEnd().split('\n');
  for (const [at, line] of lines.entries()) expect(line.slice(header.indexOf('STATUS'))).toMatch(new RegExp(`^${rows(text)[at + 1]?.[1]}`));
});

test.each<[string, readonly Partial<FieldChange>[], readonly string[]]>([
  ['one field', [{}], ['1: data.x', '-', '-']],
  ['more fields than are worth naming', [{}, {}, {}, {}], ['4: data.x, data.x, data.x, …', '-', '-']],
  ['an owner', [{ owners: [owner('a', { subresource: 'scale', time: 't1' })] }], ['1: data.x', 'a (scale)', 'at or before t1']],
  ['owners, each once, and the last time', [{ owners: [owner('a', { time: 't1' })] }, { owners: [owner('a', { time: 't2' }), owner('b')] }], ['2: data.x, data.x', 'a; b', 'at or before t2']],
  ['a change that was seen', [{ owners: [owner('a', { time: 't9' })], seen: { seenAt: 't3', writers: [owner('b')] } }], ['1: data.x', 'b', 't3']],
  ['a change in a gap, by nobody', [{ seen: { seenAt: 't3', notBefore: 't1', writers: [] } }], ['1: data.x', 'nobody on record', 't1 to t3']],
])('%s', (_name, changes, cells) => {
  expect(row(changed(changes.map(fieldChange)))?.slice(2)).toEqual(cells);
});

test('nothing is cut where no width is given', () => {
  const display = `spec.${'x'.repeat(500)}`;
  expect(show('table', [changed([fieldChange({ display })])]).data).toContain(display);
});

test.each([200, 100, 80, 40, 10, 1])('no line is wider than a terminal of %i columns', (width) => {
  const long = changed([fieldChange({ display: `spec.${'x'.repeat(300)}`, owners: [owner('y'.repeat(60), { time: '2026-03-01T10:32:07Z' })] })]);
  const lines = show('table', [long, same()], { width }).data.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
});

test('the paths give way before the time does', () => {
  const long = changed([fieldChange({ display: `spec.${'x'.repeat(300)}`, owners: [owner('kubectl', { time: '2026-03-01T10:32:07Z' })] })]);
  expect(show('table', [long], { width: 100 }).data).toMatch(/1: spec\.x+… {2}kubectl {2}at or before 2026-03-01T10:32:07Z\n$/);
});

test('with --show-managers all that is recorded of the managers, and whether we ever applied it', () => {
  const diffs = [changed([fieldChange({ owners: [owner('kubectl', { subresource: 'scale' })] })], { adopted: false }), same(), missing({ key: '/Secret/shop/s' as ResourceKey })];
  expect(rows(show('table', diffs, { showManagers: true }).data).map((cells) => [cells[3], cells[5]])).toEqual([
    ['BY', 'APPLIED'],
    ['kubectl (Update, scale), time not recorded', 'not yet'],
    ['-', 'yes'],
    ['-', '-'],
  ]);
});

test('trouble goes to stderr', () => {
  const { data, remarks } = show('table', everything, { findings });
  expect(data).not.toContain('line 3');
  expect(remarks).toBe(
    [
      '! ConfigMap shop/a  spec.x: unknown field  a.yaml#1',
      '? ConfigMap shop/a  not allowed to get configmaps  a.yaml#1',
      '! b.yaml#1  error: line 3: not YAML',
      '! b.yaml#2  warning: a key appears twice\n\n',
    ].join('\n'),
  );
});
