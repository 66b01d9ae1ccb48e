import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/model/index.ts';
import { parseYaml } from '../../../src/render/yaml/parse-yaml.ts';
import { yamlInputs } from '../../fixtures/yaml-inputs.ts';
import type { YamlEntry } from '../../support/record-yaml-table.ts';

const table = JSON.parse(readFileSync(new URL('../../fixtures/yaml-table.json', import.meta.url), 'utf8')) as readonly YamlEntry[];

/** kubectl reads these, and we refuse them with this finding. Nothing is read differently without one. */
const knownDifferences: Readonly<Record<string, string>> = {
  'a flow colon before a bracket': 'flow-indicator',
  'a line separator in double quotes': 'exotic-line-break',
  'a line that is indented less than the first': 'ignored-text',
  'a lone dash in brackets': 'syntax',
  'a tab in front of continued text': 'syntax',
};

/** Equal to kubectl, with a word for the author. All others come without a finding. */
const warnings: Readonly<Record<string, readonly string[]>> = {
  'JSON with duplicate keys': ['duplicate-key'],
  'a merge behind an explicit key': ['merge-order'],
  'a merge of a list': ['retyped-key', 'retyped-key'],
  'a merge of a merge': ['retyped-key'],
  'duplicate keys': ['duplicate-key'],
  'duplicate keys in a flow map': ['duplicate-key'],
  'duplicate keys of one number': ['duplicate-key', 'retyped-key'],
  'duplicate maps, which do not merge': ['duplicate-key'],
  'keys that are no strings': ['retyped-key', 'retyped-key', 'retyped-key', 'retyped-key', 'retyped-key'],
  'text behind a document end': ['ignored-text'],
  'two merges in one map': ['retyped-key', 'retyped-key'],
  ...Object.fromEntries(
    ['!!timestamp 2001-01-01', '!!binary aGVsbG8=', '!!binary /w==', '!!set {a, b}', '!!omap [a: 1, b: 2]', '!!pairs [a: 1]']
      .concat('!!str {a: b}', '!!null [a]', '!!foo bar', '!custom 12', '!custom', '!custom {a: 010}', '! 12', '! "12"')
      .map((text) => [`the tag in ${text}`, ['exotic-tag']]),
  ),
};

describe('the table of what kubectl reads', () => {
  it('is recorded from the inputs as they are', () => {
    expect(table.map(({ name, input }) => ({ name, text: input }))).toEqual(yamlInputs);
  });

  it('has enough inputs, each under its own name', () => {
    expect(new Set(table.map(({ name }) => name)).size).toBeGreaterThanOrEqual(370);
  });

  it('knows every input that is read differently', () => {
    const names = new Set(table.map(({ name }) => name));
    expect([...Object.keys(knownDifferences), ...Object.keys(warnings)].filter((name) => !names.has(name))).toEqual([]);
  });
});

const cases = table.map((entry) => {
  const documents = parseYaml(new TextEncoder().encode(entry.input));
  const findings = documents.flatMap((document) => document.findings);
  return {
    name: entry.name,
    answer: 'error' in entry ? 'refused' : entry.documents,
    difference: knownDifferences[entry.name],
    values: documents.map(({ value }) => canonicalJson(value)),
    codes: findings.map(({ code }) => code),
    errors: findings.filter(({ severity }) => severity === 'error').map(({ code }) => code),
  };
});

describe('parseYaml, beside kubectl', () => {
  it.each(cases.filter(({ answer }) => answer === 'refused'))('refuses $name, as kubectl does', ({ errors }) => {
    expect(errors).not.toEqual([]);
  });

  it.each(cases.filter(({ difference }) => difference !== undefined))('says $difference of $name, which kubectl accepts', ({ answer, errors, difference }) => {
    expect(answer).not.toBe('refused');
    expect(errors).toEqual([difference]);
  });

  it.each(cases.filter(({ answer, difference }) => answer !== 'refused' && difference === undefined))(
    'reads $name as kubectl does',
    ({ name, answer, values, codes }) => {
      expect(values).toEqual(answer);
      expect(codes).toEqual(warnings[name] ?? []);
    },
  );
});
