import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { alertRuleKeys } from '../../../src/config/alert-rule-schema.ts';
import { alertMatchKeys } from '../../../src/config/alert-match-schema.ts';
import { alertsKeys } from '../../../src/config/alerts-schema.ts';
import { configProblems } from '../../../src/config/config-problems.ts';
import { defaultAlerts } from '../../../src/config/default-alerts.ts';
import { destinationParts, destinationShapes } from '../../../src/config/destination-shapes.ts';
import { muteWindowKeys } from '../../../src/config/mute-window-schema.ts';

const page = (name: string): string => readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', name), 'utf8');
const examples = (name: string): readonly string[] => Array.from(page(name).matchAll(/^```yaml\n(.*?)^```$/gms), ([, text = '']) => text);

describe.each([['alerts.md', 5], ['configuration.md', 3]])('the examples in %s', (name, number) => {
  test(`are ${number}, and can be used`, () => {
    expect(examples(name).map((text) => configProblems({ path: name, folder: '/', text }))).toEqual(Array.from({ length: number }, () => []));
  });
});

test('the page about alerts has every key and type', () => {
  const keys = [...alertsKeys, ...alertRuleKeys, ...alertMatchKeys, ...muteWindowKeys, ...Object.keys(destinationParts)];
  const ofDestinations = Object.entries(destinationShapes).flatMap(([type, shape]) => [type, ...Object.keys(shape)]);
  expect([...keys, ...ofDestinations].filter((word) => !new RegExp(String.raw`\b${word}\b`).test(page('alerts.md')))).toEqual([]);
});

test('the usual rules on the page are those that hold', () => {
  expect(examples('alerts.md').map((text): unknown => parse(text))).toContainEqual({ alerts: defaultAlerts });
});
