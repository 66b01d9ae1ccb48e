import { expect, test } from 'vitest';
import { parseSelector } from '../../../src/cli/status-selector.ts';

const labels = { tier: 'web', env: 'prod', 'example.com/team': 'payments', empty: '' };

test.each<[string, boolean]>([
  ['tier=web', true],
  ['tier==web', true],
  ['tier = web', true],
  ['tier=db', false],
  ['tier!=db', true],
  ['tier!=web', false],
  ['absent!=x', true],
  ['absent=x', false],
  ['absent=', false],
  ['empty=', true],
  ['tier', true],
  ['absent', false],
  ['!absent', true],
  ['! tier', false],
  ['example.com/team=payments', true],
  ['tier in (web, db)', true],
  ['tier in (db)', false],
  ['tier notin (db)', true],
  ['tier notin (web,db)', false],
  ['absent notin (x)', true],
  ['absent in (x)', false],
  ['tier=web,env=prod', true],
  ['tier=web, env in (stage, test)', false],
  ['tier in (web,db),!absent,env!=stage', true],
  // Of JavaScript's own making, and no label.
  ['constructor', false],
  ['toString notin (x)', true],
])('%s', (text, holds) => {
  expect(parseSelector(text)(labels)).toBe(holds);
});

test.each(['', ',', 'a=b,', 'a in b', 'a in (b', 'a=b=c', 'a b', '=x', 'a>1'])('%j is refused', (text) => {
  expect(() => parseSelector(text)).toThrow(/--selector wants label selectors such as .*, got /);
});
