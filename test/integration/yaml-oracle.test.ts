import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { yamlInputs } from '../fixtures/yaml-inputs.ts';
import { askKubectl, recordYamlTable, type YamlEntry } from '../support/record-yaml-table.ts';

const table = JSON.parse(readFileSync(new URL('../fixtures/yaml-table.json', import.meta.url), 'utf8')) as readonly YamlEntry[];
const batchSize = 50;

test('the table has an answer for every input, and for no other', () => {
  expect(table.map(({ name, input }) => ({ name, text: input }))).toEqual(yamlInputs.map(({ name, text }) => ({ name, text })));
});

test('kubectl still reads what the table says that it reads', { timeout: 120_000 }, async () => {
  const read = table.flatMap((entry) => ('documents' in entry ? [entry] : []));
  for (let at = 0; at < read.length; at += batchSize) {
    const batch = read.slice(at, at + batchSize);
    expect(await askKubectl(batch.map(({ input }) => input))).toEqual({ documents: batch.flatMap(({ documents }) => documents) });
  }
});

test('kubectl still refuses what the table says that it refuses', { timeout: 120_000 }, async () => {
  const refused = table.filter((entry) => 'error' in entry);
  expect(await recordYamlTable(refused.map(({ name, input }) => ({ name, text: input })))).toEqual(refused);
});
