import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { formatDiffs } from '../../src/cli/format/index.ts';
import { parseJson, type Diff, type JsonObject } from '../../src/model/index.ts';
import { changed, everything, fieldChange, findings, same } from '../support/example-diffs.ts';
import { checkAgainst } from '../support/json-schema.ts';

const schema = parseJson(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'diff-report.schema.json'), 'utf8')) as JsonObject;
const options = { colors: picocolors.createColors(false), contextLines: 3, showIgnored: false, showManagers: false };

function reportOf(diffs: readonly Diff[]): JsonObject {
  return parseJson(formatDiffs({ diffs, findings, context: 'c' }, 'json', options).data) as JsonObject;
}

describe('the schema of the DiffReport', () => {
  const check = checkAgainst(schema);

  test.each<[string, readonly Diff[]]>([
    ['everything that a Diff can hold', everything],
    ['nothing at all', []],
    ['all in sync', [same()]],
    ['a removed field', [changed([fieldChange({ live: 1 })], { patch: [{ op: 'remove', path: '/data/x' }] })]],
  ])('describes a report of %s', (_name, diffs) => {
    expect(check.errors(reportOf(diffs))).toEqual([]);
  });

  test('describes nothing that no report has', () => {
    expect(check.unused()).toEqual([]);
  });

  test('names every type of outcome', () => {
    const types = new Set(everything.map(({ type }) => type));
    expect(new Set((schema['$defs'] as { resource: { oneOf: { $ref: string }[] } }).resource.oneOf.map(({ $ref }) => $ref.replace('#/$defs/', '')))).toEqual(types);
  });

  const [first] = reportOf([changed([fieldChange({ live: 1 })])])['resources'] as readonly [JsonObject];
  test.each<[string, JsonObject, string]>([
    ['a field that it does not know', { ...first, extra: 1 }, '/resources/0/extra: not in the schema'],
    ['a type that it does not know', { ...first, type: 'drifted' }, '/resources/0/type: not "changed"'],
    ['a field of another type', { ...first, adopted: 'yes' }, '/resources/0/adopted: not of type boolean'],
    ['a field too few', Object.fromEntries(Object.entries(first).filter(([key]) => key !== 'patch')), '/resources/0/patch: wanting'],
    ['a word that it does not know', { ...first, obstacle: { type: 'no', message: '' } }, '/resources/0/obstacle/type: not one of ["replace","denied"]'],
  ])('is strict enough to refuse %s', (_name, resource, error) => {
    expect(check.errors({ ...reportOf([]), resources: [resource] })).toContain(error);
  });
});
