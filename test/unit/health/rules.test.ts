import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { healthOf } from '../../../src/health/index.ts';
import { compileHealthRules } from '../../../src/health/rules/compile-health-rules.ts';
import type { HealthRule, KubeObject } from '../../../src/model/index.ts';
import { condition, minutesAgo, now, object } from './objects.ts';

function by(rule: HealthRule, subject: KubeObject) {
  const { rules, mistakes } = compileHealthRules([rule]);
  expect(mistakes).toEqual([]);
  return healthOf(subject, { now, rules });
}

const certificate = (phase: string, more = {}) => object('cert-manager.io/v1 Certificate', { spec: { replicas: 3 }, status: { phase, ...more } });
const rule = {
  kind: 'cert-manager.io/Certificate',
  degraded: 'object.status.phase == "Broken"',
  suspended: 'object.status.phase in ["Held", "Broken"]',
  progressing: 'object.status.phase.startsWith("Iss")',
  healthy: 'object.status.phase == "Fine" || object.status.phase == "Issuing"',
  message: '"phase is " + object.status.phase',
} as const;

describe('a rule', () => {
  test.each([
    ['Broken', 'Degraded'],
    ['Held', 'Suspended'],
    ['Issuing', 'Progressing'],
    ['Fine', 'Healthy'],
    ['Other', 'Progressing'],
  ])('says of the phase %s: %s', (phase, status) => {
    expect(by(rule, certificate(phase))).toEqual({ status, message: `phase is ${phase}` });
  });

  test.each([
    ['whole numbers are ints', 'object.spec.replicas - 1 == 2'],
    ['fractions are doubles', 'object.status.share < 1.5 && object.status.share > 1'],
    ['a number of more than 53 bits is exact', 'object.status.large == 9007199254740993'],
    ['a field may be asked for', 'has(object.status.phase) && !has(object.status.other)'],
    ['null is not there', '!has(object.status.nothing)'],
    ['lists can be looked through', 'object.status.conditions.exists(c, c.type == "Ready" && c.status == "True")'],
    ['keys can be looked through', 'object.metadata.labels.all(k, k.matches("^[a-z]+$"))'],
    ['a key may have any name', 'object.metadata.annotations["constructor"] == "x" && object.metadata.annotations["example.com/a"] == "b"'],
    ['time goes on', 'now - timestamp(object.status.since) > duration("5m")'],
    ['loops may be within loops', '[1, 2].all(x, [3, 4].exists(y, y > x))'],
    ['lists can be made', 'object.status.conditions.map(c, c.type).filter(t, t != "Old") == ["Ready"]'],
    ['a choice can be made', 'object.spec.replicas > 2 ? true : false'],
  ])('%s', (_what, healthy) => {
    const subject = object('example.com/v1 Thing', {
      metadata: { labels: { app: 'web' }, annotations: { constructor: 'x', 'example.com/a': 'b' } },
      spec: { replicas: 3 },
      status: { phase: 'Fine', share: 1.25, large: 9007199254740993n, nothing: null, since: '2026-03-01T11:50:00Z', conditions: [condition('Ready', 'True'), condition('Old', 'False')] },
    });
    expect(by({ kind: 'Thing', healthy }, subject)).toEqual({ status: 'Healthy' });
  });

  test('wins over what is built in, for that kind only', () => {
    const { rules } = compileHealthRules([{ kind: 'apps/Deployment', healthy: 'true' }]);
    expect(healthOf(object('apps/v1 Deployment', {}), { now, rules })).toEqual({ status: 'Healthy' });
    expect(healthOf(object('apps/v1 StatefulSet', {}), { now, rules }).status).toBe('Progressing');
    expect(healthOf(object('example.com/v1 Deployment', { status: { observedGeneration: 1 } }), { now, rules }).status).toBe('Progressing');
  });

  test('without a group is for any group, and one with it comes first', () => {
    const { rules } = compileHealthRules([
      { kind: 'Backup', degraded: 'true' },
      { kind: 'a.example.com/Backup', suspended: 'true' },
    ]);
    expect(['a.example.com/v1 Backup', 'b.example.com/v1 Backup', 'v1 Backup'].map((type) => healthOf(object(type), { now, rules }).status)).toEqual(['Suspended', 'Degraded', 'Degraded']);
  });

  test('is not asked about an object on its way out', () => {
    const { rules } = compileHealthRules([{ kind: 'Thing', healthy: 'true' }]);
    expect(healthOf(object('example.com/v1 Thing', { metadata: { deletionTimestamp: '2026-03-01T11:59:59Z' } }), { now, rules }).status).toBe('Progressing');
  });

  test('that says Progressing has the same deadline', () => {
    const { rules } = compileHealthRules([rule]);
    expect(healthOf(certificate('Issuing'), { now, rules, progressingSince: minutesAgo(20) })).toEqual({ status: 'Degraded', isOverdue: true, message: 'for 20 min: phase is Issuing' });
  });

  test.each([
    ['a field that is not there', { healthy: 'object.status.nope == 1' }, '"healthy": field not found: nope'],
    ['types that do not go together', { degraded: 'object.status.phase > 3' }, '"degraded": found no matching overload for'],
    ['an answer that is neither true nor false', { suspended: 'object.status.phase' }, '"suspended" is neither true nor false'],
  ])('that fails by %s gives Unknown and is named', (_what, expressions, what) => {
    const { status, message } = by({ kind: 'cert-manager.io/Certificate', ...expressions }, certificate('Fine'));
    expect(status).toBe('Unknown');
    expect(message).toContain(`the health rule for cert-manager.io/Certificate does not work here: ${what}`);
  });

  test.each([
    ['fails', 'object.status.nope', '(the health rule for Certificate: "message": field not found: nope)'],
    ['is no text', '1 + 1', '(the health rule for Certificate: "message" is no text)'],
    ['is long', `"${'x'.repeat(900)}"`, `${'x'.repeat(499)}…`],
  ])('whose message %s keeps its verdict', (_what, message, expected) => {
    expect(by({ kind: 'Certificate', degraded: 'true', message }, certificate('Fine'))).toEqual({ status: 'Degraded', message: expected });
  });
});

describe('a mistake', () => {
  test.each([
    ['names what is no CEL', { kind: 'Thing', healthy: 'object.status.' }, 'health rule for Thing: "healthy" is no expression that works: line 1, column 14: found . but expecting end of input'],
    ['names an unknown name', { kind: 'a.b/Thing', degraded: 'obj.status.x == 1' }, 'health rule for a.b/Thing: "degraded" is no expression that works: nothing is named obj; there are object and now'],
    ['names an unknown function', { kind: 'Thing', progressing: 'object.a.lower() == "x"' }, 'health rule for Thing: "progressing" is no expression that works: there is no function lower'],
    ['names an empty expression', { kind: 'Thing', suspended: ' ' }, 'health rule for Thing: "suspended" is empty'],
    ['names what is too long', { kind: 'Thing', healthy: `true${' '.repeat(2000)}` }, 'health rule for Thing: "healthy" has 2004 characters, at most 2000 are allowed'],
    ['names a rule that says nothing', { kind: 'Thing', message: '"x"' }, 'health rule for Thing: it has none of healthy, progressing, degraded and suspended'],
    ['names a kind that is none', { kind: 'a/b/Thing', healthy: 'true' }, 'health rule for a/b/Thing: kind has to be Kind or group/Kind'],
    ['names a missing kind', { kind: '', healthy: 'true' }, 'health rule for no kind: kind has to be Kind or group/Kind'],
    ['keeps rules out of Secrets', { kind: 'Secret', healthy: 'true', message: 'object.data.password' }, 'health rule for Secret: no rule looks into Secrets'],
    ['keeps rules out of Secrets of the core group', { kind: '/Secret', healthy: 'true' }, 'health rule for /Secret: no rule looks into Secrets'],
    ['names a pattern that is not written out', { kind: 'Thing', healthy: 'object.a.matches(object.b)' }, 'health rule for Thing: "healthy" is no expression that works: the pattern of matches() has to be written out'],
  ])('%s', (_what, wrong, expected) => {
    const { mistakes, rules } = compileHealthRules([wrong]);
    expect(mistakes).toEqual([expected]);
    expect(rules.assess(object('example.com/v1 Thing'), now)).toBeUndefined();
  });

  test('names a second rule for a kind, and the first one counts', () => {
    const { mistakes, rules } = compileHealthRules([{ kind: 'Thing', healthy: 'true' }, { kind: 'Thing', degraded: 'true' }]);
    expect(mistakes).toEqual(['health rule for Thing: there is another rule for this kind']);
    expect(rules.assess(object('example.com/v1 Thing'), now)).toEqual({ status: 'Healthy' });
  });

  test('in one expression leaves the other rules alone', () => {
    const { mistakes, rules } = compileHealthRules([{ kind: 'A', healthy: '(' }, { kind: 'B', healthy: 'true' }]);
    expect(mistakes).toHaveLength(1);
    expect(rules.assess(object('example.com/v1 B'), now)).toEqual({ status: 'Healthy' });
  });
});

test('the example of the documentation works', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/health.md'), 'utf8');
  const [, example = ''] = /```yaml\n(?<example>.*?)```/s.exec(page) ?? [];
  const { rules, mistakes } = compileHealthRules(parse(example) as HealthRule[]);
  expect(mistakes).toEqual([]);
  const certificates = [
    {},
    { status: { conditions: [condition('Ready', 'True')], notAfter: '2026-05-01T00:00:00Z' } },
    { status: { conditions: [condition('Ready', 'True'), condition('Issuing', 'False', { reason: 'Failed' })] } },
  ];
  expect(certificates.map((fields) => healthOf(object('cert-manager.io/v1 Certificate', fields), { now, rules }))).toEqual([
    { status: 'Progressing' },
    { status: 'Healthy', message: 'expires 2026-05-01T00:00:00Z' },
    { status: 'Degraded' },
  ]);
});
