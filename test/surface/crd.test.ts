import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { applicationCrd } from '../../src/apps/crd/application-crd.ts';
import { crdText } from '../../src/apps/crd/crd-text.ts';
import { isList, isObject, valueAt, type Json, type JsonObject } from '../../src/model/index.ts';

const file = join(import.meta.dirname, '..', '..', 'charts', 'setpoint', 'crds', 'applications.setpoint.dev.yaml');
const schema = (valueAt(applicationCrd(), ['spec', 'versions']) as readonly JsonObject[]).map((version) => valueAt(version, ['schema', 'openAPIV3Schema']) as JsonObject)[0] ?? {};

/** Every schema within, by its path. */
function within(at: string, value: JsonObject): readonly (readonly [string, JsonObject])[] {
  const { properties, items } = value;
  const below = isObject(properties) ? Object.entries(properties).map(([name, child]) => [`${at}.${name}`, child] as const) : [];
  const all: readonly (readonly [string, Json])[] = isObject(items) ? [...below, [`${at}[]`, items]] : below;
  return [[at, value], ...all.flatMap(([path, child]) => within(path, child as JsonObject))];
}

const ours = ['spec', 'status', 'operation'].flatMap((name) => within(name, valueAt(schema, ['properties', name]) as JsonObject));

test('the manifest in the chart is the one that the code makes: npm run build:crd writes it anew', () => {
  expect(readFileSync(file, 'utf8')).toBe(crdText());
});

test('the manifest is one document that says what the code says, and fits into an annotation of kubectl', () => {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  expect(documents.map((document) => document.toJS() as Json)).toEqual([applicationCrd()]);
  expect(readFileSync(file).length).toBeLessThan(256 * 1024);
});

describe('the schema', () => {
  test('has all that is read and written', () => {
    expect(ours.length).toBeGreaterThan(150);
    expect(ours.map(([path]) => path)).toEqual(expect.arrayContaining(['spec.source.helm.parameters[].name', 'spec.sources[].path', 'spec.drift.mode', 'status.conditions[].type', 'status.sync.shortRevision']));
  });

  test('keeps unknown fields in every map that has fields of its own', () => {
    const pruning = ours.filter(([, value]) => value['type'] === 'object' && !isObject(value['additionalProperties']) && value['x-kubernetes-preserve-unknown-fields'] !== true);
    expect(pruning.map(([path]) => path)).toEqual([]);
  });

  test('bounds every list', () => {
    expect(ours.filter(([, value]) => value['type'] === 'array' && typeof value['maxItems'] !== 'number').map(([path]) => path)).toEqual([]);
  });

  test('describes every field', () => {
    const items = /\[\]$/;
    expect(ours.filter(([path, value]) => !items.test(path) && typeof value['description'] !== 'string').map(([path]) => path)).toEqual([]);
  });

  test('says something wherever a rule does not hold', () => {
    const rules = ours.flatMap(([, value]) => (isList(value['x-kubernetes-validations']) ? value['x-kubernetes-validations'] : []));
    expect(rules.length).toBeGreaterThan(8);
    expect(rules.filter((rule) => typeof valueAt(rule, ['message']) !== 'string')).toEqual([]);
  });
});
