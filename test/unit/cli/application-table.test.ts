import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { age, span } from '../../../src/cli/format/application-age.ts';
import { applicationSummary, applicationTable } from '../../../src/cli/format/application-table.ts';
import type { StatusItem } from '../../../src/cli/status-item.ts';
import { ago, changed, drifted, item, now, synced } from './status-items.ts';

const colors = picocolors.createColors(false);
const auto = { syncPolicy: { automated: {} } };
const deploying = { ...drifted(changed({ cause: 'git-ahead', by: undefined as never }), changed({ cause: 'git-ahead' }), changed({ cause: 'git-ahead' })), verdict: { status: 'OutOfSync', cause: 'git-ahead' } as const, verdictSince: ago(20), declared: 9 };
const lost = { ...synced, verdict: { status: 'Unknown', code: 'Forbidden', message: 'apiserver: 403\n list secrets' } as const, verdictSince: ago(125) };
const syncing = { type: 'Reconciling', status: 'True', reason: 'Syncing', message: '', lastTransitionTime: ago(3) } as const;

const fleet: readonly StatusItem[] = [
  item(drifted(changed(), changed({ by: 'helm' })), { name: 'checkout' }),
  item({ ...deploying, conditions: [syncing] }, { name: 'search', spec: auto }),
  item(lost, { name: 'ledger', spec: auto }),
  item(synced, { name: 'web', namespace: 'stage', spec: auto }),
];

function table(items: readonly StatusItem[], parts: Partial<Parameters<typeof applicationTable>[1]> = {}): readonly string[] {
  return applicationTable(items, { colors, now, wide: false, headers: true, ...parts }).split('\n');
}

describe('the table', () => {
  test('has a line for each application, its reason where it is Unknown, and a summary', () => {
    expect(table(fleet)).toEqual([
      'NAMESPACE  APP       SYNC       CAUSE         DRIFT  SINCE  BY                  REVISION      MODE   LAST CHECK',
      'prod       checkout  OutOfSync  live-changed  2/14   6m     kubectl-edit, helm  main@4e9c917  alert  4s',
      'prod       search    OutOfSync  git-ahead     3/9    20s    kubectl-edit        main@4e9c917  auto   4s          ⟳ syncing',
      'prod       ledger    Unknown    -             -      2m     -                   main@4e9c917  auto   4s          ✗ apiserver: 403 list secrets',
      'stage      web       Synced     -             0/22   -      -                   main@4e9c917  auto   4s',
      '4 apps: 1 Synced, 2 OutOfSync (1 drifted, 1 deploying), 1 Unknown',
      '',
    ]);
  });

  test('has the rows alone where nobody wants headers', () => {
    expect(table(fleet, { headers: false })).toHaveLength(fleet.length + 1);
    expect(applicationTable([], { colors, now, wide: false, headers: false })).toBe('');
  });

  test('has the source too where it may be wide', () => {
    const [header, row] = table([item(synced)], { wide: true });
    expect(header).toMatch(/LAST CHECK {2}REPOSITORY +PATH$/);
    expect(row).toMatch(/https:\/\/git\.example\.com\/acme\/fleet {2}apps\/checkout$/);
  });

  test('is never wider than the terminal', () => {
    for (const width of [40, 80, 115]) expect(Math.max(...table(fleet, { width }).slice(0, -2).map((line) => Array.from(line).length))).toBeLessThanOrEqual(width);
    expect(table(fleet, { width: 40 })[1]).toMatch(/…$/);
  });

  test('marks an age that is only a guess', () => {
    expect(table([item({ ...synced, checkedAt: ago(20) }, { beat: { type: 'unreadable', why: 'x' } })])[1]).toMatch(/ 20s\?$/);
  });

  test('says since when nobody vouches for it, and what it was', () => {
    const [, row] = table([item(synced, { beat: { type: 'seen', at: new Date(ago(3600)), holder: '' } })]);
    expect(row).toMatch(/checkout {2}Unknown {2}- +- +60m +- .* 60m +✗ no agent has been seen since .*; before that it was Synced$/);
  });

  test('shortens who did it where they are many', () => {
    expect(table([item(drifted(changed(), changed({ by: 'a' }), changed({ by: 'b' })))])[1]).toContain('  kubectl-edit +2  ');
  });

  test('tells that Git cannot be asked, and that the spec is newer', () => {
    const stale = { type: 'SourceStale', status: 'True', reason: 'RepositoryUnreachable', message: 'since 11:00: gone', lastTransitionTime: ago(3) } as const;
    expect(table([item({ ...synced, conditions: [stale] })])[1]).toMatch(/! since 11:00: gone$/);
    expect(table([item({ ...synced, generation: 1 })])[1]).toMatch(/! this is about an earlier version of its spec$/);
  });

  test('lets nothing steer the terminal', () => {
    const hostile = '\u001B[2J\u202E';
    const bad = item(drifted(changed({ by: hostile })), { written: { sync: { status: 'Unknown', message: hostile, shortRevision: hostile } } });
    expect(applicationTable([bad], { colors, now, wide: true, headers: true })).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--\n]/v);
  });
});

test.each<[string, readonly StatusItem[]]>([
  ['0 apps', []],
  ['1 app: 1 Synced', [item(synced)]],
  ['1 app: 1 OutOfSync (1 drifted)', [item(drifted())]],
  ['1 app: 1 OutOfSync (1 drifted)', [item({ ...drifted(), verdict: { status: 'OutOfSync', cause: 'both' } })]],
])('summed up: %s', (text, items) => {
  expect(applicationSummary(items, colors)).toBe(text);
});

test.each([
  [0, '0s'],
  [-5000, '0s'],
  [59_999, '59s'],
  [119_999, '119s'],
  [120_000, '2m'],
  [7_199_999, '119m'],
  [7_200_000, '2h'],
  [172_799_999, '47h'],
  [172_800_000, '2d'],
])('%i ms are %s', (ms, text) => {
  expect(span(ms)).toBe(text);
});

test('what has no time has no age', () => {
  expect(age(undefined, now)).toBe('-');
});
