import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openManifests } from '../../../src/cli/manifest-reader.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a named pipe, as of <(helm template .), is read once', async () => {
  await using folder = await tempFolder();
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const nothingSpecial = { values: [], set: [], setString: [], apiVersions: [], skipCrds: false, renderer: 'wasm' } as const;
  const unused = { render: () => Promise.reject(new Error('nothing is rendered')), close: () => Promise.resolve() };
  const reader = await openManifests({ ...nothingSpecial, filename: pipe }, unused, process.stdin);
  const written = writeFile(pipe, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n');
  const reading = { namespace: 'shop', capabilities: undefined, signal: new AbortController().signal };
  const { documents } = await reader.read(reading);
  await written;
  expect(documents.map(({ origin, object }) => `${origin} ${object.metadata.name}`)).toEqual([`${pipe}#1 a`]);
  expect((await reader.read(reading)).documents).toBe(documents);
});
