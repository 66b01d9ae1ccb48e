import { describe, expect, test } from 'vitest';
import { matchesGlob } from '../../../src/cli/glob.ts';
import { demandMatches, parseResourceFilter } from '../../../src/cli/resource-filter.ts';
import type { ResourceKey } from '../../../src/model/index.ts';

const keys = ['/ConfigMap/shop/env', '/ConfigMap/blog/env', '/Namespace//shop', 'apps/Deployment/shop/web', 'apps/Deployment/shop/web-2', 'apps/StatefulSet/shop/db', 'example.com/Widget/shop/a.b'] as ResourceKey[];

test.each<[string, readonly string[], readonly string[]]>([
  ['no pattern asks for everything', [], keys],
  ['a kind and a name, in every group and namespace', ['ConfigMap/env'], ['/ConfigMap/shop/env', '/ConfigMap/blog/env']],
  ['a namespace', ['ConfigMap/shop/env'], ['/ConfigMap/shop/env']],
  ['a group', ['apps/Deployment/web'], ['apps/Deployment/shop/web']],
  ['all four', ['apps/Deployment/shop/web'], ['apps/Deployment/shop/web']],
  ['as -o name prints it: the core group is empty', ['/ConfigMap/shop/env'], ['/ConfigMap/shop/env']],
  ['as -o name prints it: the namespace is empty', ['/Namespace//shop'], ['/Namespace//shop']],
  ['the core group only', ['/*/*'], ['/ConfigMap/shop/env', '/ConfigMap/blog/env', '/Namespace//shop']],
  ['no namespace', ['*//*'], ['/Namespace//shop']],
  ['a wildcard', ['Deployment/web*'], ['apps/Deployment/shop/web', 'apps/Deployment/shop/web-2']],
  ['one character', ['Deployment/web-?'], ['apps/Deployment/shop/web-2']],
  ['a wildcard for the kind', ['*/blog/*'], ['/ConfigMap/blog/env']],
  ['all of a group', ['apps/*/*'], ['apps/Deployment/shop/web', 'apps/Deployment/shop/web-2', 'apps/StatefulSet/shop/db']],
  ['the kind in other letters', ['deployment/web'], ['apps/Deployment/shop/web']],
  ['a dot is a dot', ['Widget/a.b'], ['example.com/Widget/shop/a.b']],
  ['any of several', ['Deployment/web', 'Namespace/*'], ['/Namespace//shop', 'apps/Deployment/shop/web']],
  ['all but', ['!ConfigMap/*', '!apps/*/*'], ['/Namespace//shop', 'example.com/Widget/shop/a.b']],
  ['some but', ['Deployment/*', '!Deployment/*-2'], ['apps/Deployment/shop/web']],
])('%s', (_name, patterns, chosen) => {
  expect(keys.filter(parseResourceFilter(patterns))).toEqual(chosen);
});

test.each(['Widget/aXb', 'ConfigMap/Env', 'Deploymen/web', 'ConfigMap/env/shop', 'apps/Deployment/blog/web', 'web-2/Deployment'])('%s matches nothing', (pattern) => {
  expect(keys.filter(parseResourceFilter([pattern]))).toEqual([]);
});

test.each(['', '!', 'web', 'Deployment/', '/web', 'a/b/c/d/e', '//'])('%j is no pattern, and is named', (pattern) => {
  expect(() => parseResourceFilter(['Deployment/*', pattern])).toThrow(`--resource ${pattern} is not understood: it wants [group/]Kind[/namespace]/name`);
});

test('a name that asks for much work is answered at once', () => {
  const filter = parseResourceFilter([`ConfigMap/${'*a'.repeat(30)}*b`]);
  expect(filter(`/ConfigMap/shop/${'a'.repeat(250)}` as ResourceKey)).toBe(false);
});

describe('a pattern that matches nothing', () => {
  test('is named, so that a misspelt one never reads as in sync', () => {
    expect(() => demandMatches(['ConfigMap/*', 'Deploymnt/web', 'Job/x'], keys, [])).toThrow('no manifest matches --resource Deploymnt/web nor Job/x');
  });

  test('may stand in a document that cannot be read', () => {
    const findings = [{ severity: 'error', origin: 'a.yaml#1', message: 'line 3' } as const, { severity: 'warning', origin: 'b', message: 'x' } as const];
    expect(() => demandMatches(['Job/x'], keys, findings)).toThrow('no manifest matches --resource Job/x; a.yaml#1 cannot be read: line 3');
  });

  test('is no mistake where it leaves something out', () => {
    expect(() => demandMatches(['!Secret/*'], keys, [])).not.toThrow();
  });

  test('patterns that cancel each other leave nothing, which is no success', () => {
    expect(() => demandMatches(['ConfigMap/*', '!*/*'], keys, [])).toThrow('--resource ConfigMap/* !*/* leaves nothing to compare');
  });
});

test.each([
  ['*', '', true],
  ['**', 'abc', true],
  ['a*c', 'abbc', true],
  ['a*c', 'abcb', false],
  ['*a*b', 'aab', true],
  ['?', '', false],
  ['a?', 'a*', true],
  ['a', 'ab', false],
  ['', 'a', false],
  ['', '', true],
  ['[a-z]', 'b', false],
])('the glob %j on %j: %s', (pattern, text, matches) => {
  expect(matchesGlob(pattern, text)).toBe(matches);
});
