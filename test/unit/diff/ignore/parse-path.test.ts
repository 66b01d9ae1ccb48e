import { describe, expect, test } from 'vitest';
import { parsePath } from '../../../../src/diff/ignore/parse-path.ts';
import type { Condition, Step } from '../../../../src/diff/ignore/path.ts';
import { Refusal } from '../../../../src/diff/ignore/refusal.ts';
import type { JsonObject } from '../../../../src/model/index.ts';
import { errorsOf, neutralised } from './fixtures.ts';

const key = (name: string): Step => ({ type: 'key', key: name });
const glob = (...parts: readonly string[]): Step => ({ type: 'match', glob: parts });
const where = (...conditions: readonly Condition[]): Step => ({ type: 'where', conditions });
const is = (field: string, ...wants: readonly string[]): Condition => ({ field: field.split('.'), wants });

describe('is read', () => {
  test.each<[string, readonly Step[]]>([
    ['spec.replicas', [key('spec'), key('replicas')]],
    ['data.generated-*', [key('data'), glob('generated-', '')]],
    ['data[generated-*]', [key('data'), glob('generated-', '')]],
    ['a["b.c/*"]', [key('a'), glob('b.c/*')]],
    [`a['b"c']`, [key('a'), glob('b"c')]],
    [String.raw`a["b\"]"]`, [key('a'), glob('b"]')]],
    ['a."b.c/*".d', [key('a'), key('b.c/*'), key('d')]],
    ['a[example.com/*]', [key('a'), glob('example.com/', '')]],
    ['a[name=web]', [key('a'), where(is('name', 'web'))]],
    ['a[name=*_URL].b', [key('a'), where(is('name', '', '_URL')), key('b')]],
    ['a[ port = 443 , protocol = UDP ]', [key('a'), where(is('port', '443'), is('protocol', 'UDP'))]],
    ['a[metadata.name="x, *"]', [key('a'), where(is('metadata.name', 'x, *'))]],
    ['a[name=""]', [key('a'), where(is('name', ''))]],
    ['a[0][10]', [key('a'), { type: 'token', key: '0' }, { type: 'token', key: '10' }]],
    ['a[01]', [key('a'), glob('01')]],
    ['a[*].b', [key('a'), where(), key('b')]],
    ['a.*.b', [key('a'), where(), key('b')]],
    ['**.caBundle', [{ type: 'deep' }, key('caBundle')]],
    ['["a"].b', [glob('a'), key('b')]],
  ])('%s', (text, steps) => {
    expect(parsePath(text)).toEqual({ steps, floats: true });
  });

  test('.spec.replicas, pinned to the root', () => {
    expect(parsePath('.spec.replicas')).toEqual({ steps: [key('spec'), key('replicas')], floats: false });
  });
});

describe('is refused', () => {
  test.each<[string, string]>([
    ['', 'wanted the name of a field at its end'],
    ['.', 'wanted the name of a field at its end'],
    ['a.', 'wanted the name of a field at its end'],
    ['a..b', 'wanted the name of a field at ".b"'],
    ['a.[0].', 'wanted the name of a field at its end'],
    ['a b', 'not understood at " b": a name that has more than letters, digits, dashes and the like goes in brackets and quotes'],
    ['a | b', 'not understood at " | b"'],
    ['a[]', 'wanted a name, a glob, an index, a condition or * at "]"'],
    ['a[b', 'wanted ] at its end'],
    ['a[b c]', 'wanted ] at " c]"'],
    ['a]', 'not understood at "]"'],
    ['a[b,c]', 'wanted ] at ",c]"'],
    ['a[b=]', 'wanted a value at "]", in quotes if it is empty or has spaces, commas or brackets'],
    ['a[b==c]', 'wanted a value at "=c]"'],
    ['a[b=c,]', 'wanted a condition such as name=web at "]"'],
    ['a[b=c,d]', 'wanted a condition such as name=web at "]"'],
    ['a[=c]', 'wanted a name, a glob, an index, a condition or * at "=c]"'],
    ['a[b..c=d]', 'wanted a condition such as name=web at "=d]"'],
    ['a["b]', 'wanted a name, a glob, an index, a condition or * at "\\"b]"'],
    [String.raw`a["\x"]`, String.raw`no JSON string at "\"\\x\"]"`],
  ])('%s', (text, problem) => {
    expect(() => parsePath(text)).toThrow(Refusal);
    expect(errorsOf([{ paths: [text] }])[0]).toContain(`[0].paths[0]: wanted a keyed path such as spec.template.spec.containers[name=web].env[name=*_URL].value: ${problem}`);
  });
});

describe('where a path begins', () => {
  const pod = (value: string): JsonObject => ({ containers: [{ name: 'web', env: [{ name: 'A_URL', value }, { name: 'B', value }] }] });
  const settled = { containers: [{ name: 'web', env: [{ name: 'A_URL', value: 'live' }, { name: 'B', value: 'git' }] }] };
  const rule = { paths: ['containers[name=web].env[name=*_URL]'] };

  test.each<[string, (value: string) => JsonObject, JsonObject]>([
    ['a Pod', (value) => ({ spec: pod(value) }), { spec: settled }],
    ['a Deployment', (value) => ({ spec: { template: { spec: pod(value) } } }), { spec: { template: { spec: settled } } }],
    ['a CronJob', (value) => ({ spec: { jobTemplate: { spec: { template: { spec: pod(value) } } } } }), { spec: { jobTemplate: { spec: { template: { spec: settled } } } } }],
    ['a field of the root', pod, settled],
    ['a field of the root only, where there is one', (value) => ({ ...pod(value), spec: pod(value) }), { ...settled, spec: pod('git') }],
  ])('in %s', (_name, fields, expected) => {
    const given = { object: fields('git'), live: fields('live') };
    expect(neutralised({ rule, ...given })).toEqual({ desired: expected, predicted: expected });
  });

  test('at the root, where only live has such a field there', () => {
    const given = { object: { spec: pod('git') }, live: { ...pod('live'), spec: pod('live') } };
    expect(neutralised({ rule, ...given }).desired).toEqual(given.object);
  });

  test('with a leading dot, at the root and nowhere else', () => {
    const given = { object: { spec: pod('git') }, live: { spec: pod('live') } };
    expect(neutralised({ rule: { paths: ['.containers[name=web].env[name=*_URL]'] }, ...given }).predicted).toEqual(given.object);
  });

  test('at any depth, where it says so', () => {
    const bundle = (caBundle: string): JsonObject => ({ caBundle, a: [{ b: { caBundle } }, { caBundle, c: 'git' }], d: 'git' });
    const given = { object: bundle('git'), live: { ...bundle('live'), d: 'live' } };
    expect(neutralised({ rule: { paths: ['**.caBundle'] }, ...given }).predicted).toEqual(bundle('live'));
    expect(neutralised({ rule: { paths: ['a.**'] }, ...given }).predicted).toEqual({ ...bundle('git'), a: bundle('live')['a'] });
    expect(neutralised({ rule: { paths: ['**.b.**.caBundle'] }, ...given }).predicted).toEqual({
      ...bundle('git'),
      a: [{ b: { caBundle: 'live' } }, { caBundle: 'git', c: 'git' }],
    });
  });
});
