import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readApplication } from '../../../src/apps/index.ts';
import { yamlText } from '../../../src/cli/format/index.ts';
import { importText, type ImportedDocument } from '../../../src/cli/import-report.ts';
import { parseIgnoreRules } from '../../../src/diff/index.ts';
import { importArgocd } from '../../../src/import/index.ts';
import { renderPlain } from '../../../src/render/index.ts';

const folder = join(import.meta.dirname, 'argocd');
const names = globSync('*.yaml', { cwd: folder })
  .map((file) => basename(file, '.yaml'))
  .toSorted();

function imported(name: string): readonly ImportedDocument[] {
  const { documents, findings } = renderPlain([{ path: `${name}.yaml`, content: readFileSync(join(folder, `${name}.yaml`)) }]);
  expect(findings).toEqual([]);
  return documents.flatMap(({ origin, object }) => {
    const outcome = importArgocd(object);
    return outcome.type === 'foreign' ? [] : [{ origin, object, outcome }];
  });
}

test('there are twenty varied documents and more', () => {
  expect(names.length).toBeGreaterThanOrEqual(20);
});

test.each(names)('%s is converted, and told of, as recorded', async (name) => {
  const all = imported(name);
  const documents = all.flatMap(({ outcome }) => (outcome.type === 'converted' ? [`---\n${yamlText(outcome.document)}`] : []));
  await expect(`${importText(all)}${documents.join('')}`).toMatchFileSnapshot(`golden/${name}.txt`);
});

const converted = names.flatMap((name) => imported(name).flatMap(({ origin, object, outcome }) => (outcome.type === 'converted' ? [{ origin, object, document: outcome.document, differences: outcome.differences }] : [])));

test.each(converted)('$origin becomes an Application that the agent takes without a warning', ({ document }) => {
  expect(readApplication(document)).toMatchObject({ type: 'application', spec: { warnings: [] } });
});

test.each(converted)('the rules of $origin are understood', ({ document }) => {
  const read = readApplication(document);
  expect(parseIgnoreRules(read.type === 'application' ? [...read.spec.ignoreRules] : null)).toMatchObject({ type: 'rules' });
});

test.each(converted)('$origin is the same when it is imported again under its old group', ({ document, object }) => {
  const again = importArgocd({ ...document, apiVersion: object.apiVersion });
  expect(again).toMatchObject({ type: 'converted', document });
});

test.each(names)('what is not converted of %s says why', (name) => {
  const refused = imported(name).filter(({ outcome }) => outcome.type === 'refused');
  expect(refused.filter(({ outcome }) => !outcome.differences.some(({ type, message }) => type === 'refused' && message !== ''))).toEqual([]);
});

test.each(names)('no difference of %s repeats a password or a token', (name) => {
  expect(importText(imported(name))).not.toContain('c4nary');
});
