import { describe, expect, test } from 'vitest';
import type { HealthRules } from '../../../src/health/index.ts';
import { compileHealthRules } from '../../../src/health/rules/compile-health-rules.ts';
import type { Json, KubeObject } from '../../../src/model/index.ts';
import { now, object } from './objects.ts';

/** Generous: a slow machine is no hang. */
const soonMs = 8000;

interface Timed {
  readonly mistakes: readonly string[];
  readonly health: ReturnType<HealthRules['assess']>;
  readonly ms: number;
}

function timed(healthy: string, subject: KubeObject): Timed {
  const started = performance.now();
  const { rules, mistakes } = compileHealthRules([{ kind: 'Thing', healthy }]);
  const health = rules.assess(subject, now);
  return { mistakes, health, ms: performance.now() - started };
}

const thing = (status: Json) => object('example.com/v1 Thing', { status: { items: status } });
const numbers = thing(Array.from({ length: 2000 }, (_, index) => index));
const digits = `[${Array.from({ length: 150 }, () => '1').join(',')}]`;
const sum = (name: string): string => Array.from({ length: 40 }, () => name).join('+');
const nested = (list: string, depth: number, body: string): string => (depth === 0 ? body : `${list}.all(x${depth}, ${nested(list, depth - 1, body)})`);

describe('an expression that would take for ever', () => {
  test.each([
    ['loops over literals within one another', nested(digits, 4, 'true')],
    ['loops over the object within one another', nested('object.status.items', 4, 'true')],
    ['loops that make lists and look through them', 'object.status.items.map(x, object.status.items.map(y, x + y)).all(z, z.size() > 0)'],
    ['lists that grow by each loop', '[object.status.items].all(a, [a+a+a+a+a+a+a+a].all(b, [b+b+b+b+b+b+b+b].all(c, [c+c+c+c+c+c+c+c].all(d, d == d))))'],
    ['texts that grow by each loop', `["${'x'.repeat(300)}"].all(a, [${sum('a')}].all(b, [${sum('b')}].all(c, [${sum('c')}].all(d, (${sum('d')}).contains(d + "y")))))`],
    ['an error that is swallowed', `${nested('object.status.items', 3, 'true')} || true`],
    ['a comparison of the object with itself, again and again', 'object.status.items.all(x, object == object)'],
  ])('%s ends as Unknown', (_what, expression) => {
    const { mistakes, health, ms } = timed(expression, numbers);
    expect(mistakes).toEqual([]);
    expect(health).toMatchObject({ status: 'Unknown', message: expect.stringContaining('it looks at too much') as string });
    expect(ms).toBeLessThan(soonMs);
  });

  test.each([
    ['more loops within one another than anybody needs', nested('[1]', 5, 'true'), 'more than 4 loops'],
    ['brackets within brackets', `${'('.repeat(900)}true${')'.repeat(900)}`, 'brackets or signs'],
    ['lists within lists', `${'['.repeat(900)}${']'.repeat(900)} == []`, 'brackets or signs'],
    ['signs in a row', `${'!'.repeat(1900)}true`, 'brackets or signs'],
    ['a regular expression that counts too far', 'object.kind.matches("((a{1000}){1000}){1000}") == object.nope', 'does not work here'],
  ])('%s is refused', (_what, expression, why) => {
    const { mistakes, health, ms } = timed(expression, numbers);
    expect([...mistakes, health?.message].join(' ')).toContain(why);
    expect(ms).toBeLessThan(soonMs);
  });
});

describe('an object that would take for ever', () => {
  test.each([
    ['a pattern on a long text', 'object.status.items.matches("(a*)*(a|aa)+(.*.*.*)*b")', thing('a'.repeat(1_000_000)), 'Unknown'],
    ['a counting pattern on a text just short enough', 'object.status.items.matches("(x{0,500}a){0,2}(a|b|c){900}z")', thing('a'.repeat(31_000)), 'Progressing'],
    ['a large list', 'object.status.items.all(x, object.status.items.exists(y, y == x))', thing(Array.from({ length: 50_000 }, (_, index) => `item-${index}`)), 'Unknown'],
    ['many keys', 'object.status.items.all(k, object.status.items[k] == "x" && !(1 in object.status.items))', thing(Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`key-${index}`, 'x']))), 'Unknown'],
  ])('%s ends in time', (_what, expression, subject, status) => {
    const { mistakes, health, ms } = timed(expression, subject);
    expect(mistakes).toEqual([]);
    expect(health?.status).toBe(status);
    expect(ms).toBeLessThan(soonMs);
  });

  test('an object that is nested deeper than any stack is Unknown', () => {
    let deep: Json = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(timed('object == object', thing(deep)).health?.status).toBe('Unknown');
  });

  test('the next object has its own limit', () => {
    const { rules } = compileHealthRules([{ kind: 'Thing', healthy: nested('object.status.items', 3, 'true') }]);
    expect(rules.assess(numbers, now)?.status).toBe('Unknown');
    expect(rules.assess(thing([1, 2]), now)?.status).toBe('Healthy');
  });
});
