import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { yamlInputs } from '../fixtures/yaml-inputs.ts';
import { recordYamlTable } from '../support/record-yaml-table.ts';

it('kubectl still answers what the table of YAML inputs says', { timeout: 300_000 }, async () => {
  const table: unknown = JSON.parse(readFileSync(new URL('../fixtures/yaml-table.json', import.meta.url), 'utf8'));
  expect(await recordYamlTable(yamlInputs)).toEqual(table);
});
