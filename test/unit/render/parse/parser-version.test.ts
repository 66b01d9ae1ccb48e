import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parserVersion } from '../../../../src/render/yaml/parser-version.ts';

const root = new URL('../../../../', import.meta.url);
const sources = [
  ...globSync('src/render/yaml/*.ts', { cwd: root }).filter((path) => !path.endsWith('/parser-version.ts')),
  'src/render/parse/document-text.ts',
  'src/render/parse/parse-file.ts',
  'src/render/parse/refused-file.ts',
  'src/model/json.ts',
].toSorted();

describe('parserVersion', () => {
  it('is the hash of the sources of the reader, so that no result of an older reader is taken for one of this', () => {
    expect(sources.length).toBeGreaterThan(25);
    const hash = createHash('sha256');
    for (const path of sources) hash.update(`${path}\n${readFileSync(new URL(path, root), 'utf8').replaceAll('\r\n', '\n')}\n`);
    // Whatever changed, set `meaning` in src/render/yaml/parser-version.ts to this: files are read anew once, and that is all it costs.
    expect(parserVersion.split('-')[0]).toBe(hash.digest('hex').slice(0, 12));
  });

  it('tells the versions of the yaml package apart', () => {
    const { version } = JSON.parse(readFileSync(new URL('node_modules/yaml/package.json', root), 'utf8')) as { readonly version: string };
    expect(parserVersion.endsWith(`-${version}`)).toBe(true);
  });
});
