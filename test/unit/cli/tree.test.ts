import { describe, expect, test } from 'vitest';
import type { Diff, FieldChange, Json, ResourceKey } from '../../../src/model/index.ts';
import { at, changed, everything, fieldChange, missing, owner, same } from '../../support/example-diffs.ts';
import { show } from './show.ts';

const tree = (...diffs: readonly Diff[]): string => show('tree', diffs).data;
const seenAt = '2026-03-01T10:32:07.123Z';
const editor = owner('kubectl-edit', { time: '2026-03-01T10:32:07Z' });
const scaler = owner('kubectl', { subresource: 'scale' });

describe('values', () => {
  test.each<[string, Json, Json, readonly string[]]>([
    ['a number and the same as text', 80, '80', ['- 80', '+ "80"']],
    ['what YAML takes for a boolean', 'on', true, ['- "on"', '+ true']],
    ['an empty text', '', 'a', ['- ""', '+ a']],
    ['an integer beyond 2^53', 9_007_199_254_740_993n, 1, ['- 9007199254740993', '+ 1']],
    ['a map', { b: 1 }, { b: [1] }, ['- b: 1', '+ b:', '+   - 1']],
  ])('%s can be told apart', (_name, live, desired, lines) => {
    const [, , ...shown] = tree(changed([fieldChange({ live, desired })])).split('\n');
    expect(shown.slice(0, lines.length).map((line) => line.trim())).toEqual(lines);
  });

  test('a side that has nothing has no line', () => {
    expect(tree(changed([fieldChange({ desired: 'a' })]))).not.toMatch(/^\s+- /m);
    expect(tree(changed([fieldChange({ live: 'a' })]))).not.toMatch(/^\s+\+ /m);
  });
});

describe('who and when', () => {
  const both = { live: 1, desired: 2 };
  test.each<[string, Partial<FieldChange>, string]>([
    ['an owner with a time wrote then or before', { ...both, owners: [editor] }, 'by kubectl-edit, at or before 2026-03-01T10:32:07Z'],
    ['an owner without a time', { ...both, owners: [scaler] }, 'by kubectl (scale), time not recorded'],
    ['several owners are all named', { ...both, owners: [editor, scaler] }, 'by kubectl-edit, at or before 2026-03-01T10:32:07Z; by kubectl (scale), time not recorded'],
    ['a live value without another owner', both, 'by nobody else on record'],
    ['a change that was seen has its time', { ...both, owners: [scaler], seen: { seenAt, writers: [editor] } }, 'by kubectl-edit at 2026-03-01T10:32:07Z'],
    ['a change in a gap has two', { ...both, seen: { seenAt, notBefore: '2026-03-01T10:00:00Z', writers: [editor] } }, 'by kubectl-edit between 2026-03-01T10:00:00Z and 2026-03-01T10:32:07Z'],
    ['several writers of one change', { ...both, seen: { seenAt, writers: [editor, scaler] } }, 'by kubectl-edit and kubectl (scale) at 2026-03-01T10:32:07Z'],
    ['a change that nobody is on record for', { ...both, seen: { seenAt, writers: [] } }, 'by nobody on record at 2026-03-01T10:32:07Z'],
    ['a removal that was seen', { desired: 2, seen: { seenAt, writers: [editor] } }, 'removed by kubectl-edit at 2026-03-01T10:32:07Z'],
    ['what is not there has no owner, and may never have been', { desired: 2 }, 'new in Git, or removed: Kubernetes keeps no owner of what is gone'],
    ['what Git does not have is no removal', { live: 1 }, 'by nobody else on record'],
  ])('%s', (_name, change, note) => {
    expect(tree(changed([fieldChange(change)])).split('\n')[1]).toBe(`    data.x  ${note}`);
  });
});

describe('standing', () => {
  test.each<[string, Partial<FieldChange>, string]>([
    ['a contested field names the software that holds it', { owners: [editor, owner('operator')] }, 'contested: operator holds this field; remove it from Git or stop that writer'],
    [
      'contested replicas suggest an autoscaler',
      { display: 'spec.replicas', owners: [owner('kube-controller-manager', { subresource: 'scale' })] },
      'contested: kube-controller-manager (scale) holds this field, as an autoscaler does; remove it from Git or stop that writer',
    ],
    ['a contested field whose holder only a journal saw', { seen: { seenAt, writers: [owner('operator')] } }, 'contested: operator holds this field; remove it from Git or stop that writer'],
    ['a contested field without a holder', {}, 'contested: other software holds this field; remove it from Git or stop that writer'],
    ['an orphaned field', { standing: 'orphaned' }, 'left behind: Git had it, an apply does not remove it'],
  ])('%s', (_name, change, note) => {
    const text = tree(changed([fieldChange({ live: 1, desired: 2, standing: 'contested', ...change })]));
    expect(text.split('\n')[2]).toBe(`      ! ${note}`);
  });
});

describe('a resource', () => {
  const notes = (rest: Parameters<typeof changed>[1]): readonly string[] => tree(changed([], rest)).split('\n').slice(1, -3);

  test.each<[string, readonly string[], Parameters<typeof changed>[1]]>([
    ['that must be replaced', ['    ! sync would need to delete and create it: spec is immutable'], { obstacle: { type: 'replace', message: 'spec is immutable' } }],
    ['whose change is denied', ['    ! sync would be denied: no way'], { obstacle: { type: 'denied', message: 'no\n  way' } }],
    ['that the server did not confirm', ['    ? not confirmed by the server: no right'], { unconfirmed: 'no right' }],
    ['with warnings', ['    ! one', '    ! two'], { warnings: ['one', 'two'] }],
  ])('%s says so', (_name, lines, rest) => {
    expect(notes(rest)).toEqual(lines);
  });

  test('that is missing may wait for something', () => {
    expect(tree(missing())).toContain('- ConfigMap shop/a  is not in the cluster  a.yaml#1\n');
    expect(tree(missing({ waitsFor: 'CustomResourceDefinition x' }))).toContain('is not in the cluster; waits for CustomResourceDefinition x  a.yaml#1\n');
  });

  test('that is being deleted says so', () => {
    expect(tree({ ...at, type: 'terminating', message: 'it is being deleted' })).toBe(
      'x ConfigMap shop/a  it is being deleted  a.yaml#1\n\n1 terminating  (context c; - live, + Git)\n',
    );
  });

  test('that is in sync is silent, unless something was added by hand or is to be warned of', () => {
    expect(tree(same())).toBe('1 in sync  (context c; - live, + Git)\n');
    expect(tree(same({ adopted: false }))).toBe('1 in sync  (context c; - live, + Git)\n');
    expect(tree(same({ warnings: ['odd'] }))).toBe('= ConfigMap shop/a  in sync  a.yaml#1\n    ! odd\n\n1 in sync  (context c; - live, + Git)\n');
    expect(tree(same({ foreign: [{ path: '/x', display: 'x', live: 5, owners: [scaler] }] }))).toBe(
      '* ConfigMap shop/a  in sync, with fields added by hand  a.yaml#1\n    x  by kubectl (scale), time not recorded\n      * 5\n\n1 in sync; 1 field added by hand  (context c; - live, + Git, * only live)\n',
    );
  });
});

describe('--show-ignored', () => {
  const aside = same({
    ignored: [fieldChange({ live: 1, desired: 2, owners: [scaler] })],
    sideEffects: [{ ...fieldChange({ display: 'data.y', desired: 'a' }), why: 'admission' }],
  });

  test('without it the summary counts what is left out', () => {
    expect(tree(aside)).toBe('1 in sync; 1 field ignored, 1 side effect (--show-ignored)  (context c; - live, + Git)\n');
  });

  test('with it each is shown with the reason', () => {
    expect(show('tree', [aside], { showIgnored: true }).data).toBe(
      [
        '= ConfigMap shop/a  in sync  a.yaml#1',
        '    ~ ignored  data.x  by kubectl (scale), time not recorded',
        '      - 1',
        '      + 2',
        '    · admission  data.y',
        '      + a',
        '',
        '1 in sync; 1 field ignored, 1 side effect  (context c; - live, + Git)\n',
      ].join('\n'),
    );
  });
});

describe('--show-managers', () => {
  test('every holder is shown with all that is recorded, and whether we ever applied it', () => {
    const text = show('tree', [changed([fieldChange({ live: 1, desired: 2, owners: [scaler], seen: { seenAt, writers: [editor] } })], { adopted: false })], { showManagers: true }).data;
    expect(text.split('\n').slice(1, 5)).toEqual([
      '    @ not applied by Setpoint yet',
      '    data.x  by kubectl-edit at 2026-03-01T10:32:07Z',
      '      @ kubectl-edit (Update), seen at 2026-03-01T10:32:07Z',
      '      @ kubectl (Update, scale), time not recorded',
    ]);
  });

  test('a field that is nobody else’s says so', () => {
    expect(show('tree', [changed([fieldChange({ live: 1, desired: 2 })])], { showManagers: true }).data).toContain('      @ nobody but Setpoint on record\n');
  });
});

test('the summary counts every outcome', () => {
  const error = { severity: 'error', origin: 'b', message: 'x' } as const;
  expect(show('tree', everything, { findings: [error] }).data.split('\n').at(-2)).toBe(
    '2 changed, 2 missing, 1 terminating, 1 refused, 1 unknown, 1 unreadable, 1 in sync; 1 field added by hand; 1 field ignored, 3 side effects (--show-ignored)  (context c; - live, + Git, * only live)',
  );
  expect(tree()).toContain('nothing to compare');
});

test('a resource without a namespace has none in its name', () => {
  expect(tree(missing({ key: '/Namespace//shop' as ResourceKey }))).toContain('- Namespace shop  is not');
});
