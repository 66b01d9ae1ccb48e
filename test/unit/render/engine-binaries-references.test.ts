import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/index.ts';
import { isRemote, referencesOf } from '../../../src/render/engine/binaries/kustomization-references.ts';
import { packedSchemas } from '../../../src/render/engine/binaries/packed-schemas.ts';
import { foreignReference } from '../../../src/render/engine/binaries/schema-references.ts';

describe('the references of a kustomization', () => {
  it('are the files and folders that its fields name', () => {
    const found = referencesOf({
      resources: ['a.yaml', '../b'],
      BASES: ['c'],
      components: ['d'],
      crds: ['e'],
      configurations: ['f'],
      openapi: { path: 'g' },
      patches: [{ path: 'h' }, { patch: '- op: remove\n  path: /i' }],
      patchesStrategicMerge: ['j.yaml', 'kind: ConfigMap\nmetadata: {name: x}\n'],
      replacements: [{ path: 'k' }, { source: { fieldPath: 'l' } }],
      configMapGenerator: [{ name: 'x', files: ['m', 'key=n'], envs: ['o'], env: 'p', literals: ['q=r'] }],
      generators: ['s', 'kind: SecretGenerator\nmetadata: {name: x}\nfiles: [t]\n'],
      namePrefix: 'u',
    });
    expect(found).toEqual({ resources: ['a.yaml', '../b', 'c', 'd'], plugins: ['s'], files: ['e', 'f', 'g', 'h', 'j.yaml', 'k', 'm', 'n', 'o', 'p', 't'] });
  });

  it.each(['https://x/y', 'HTTPS:x', 'http:/x', 'git::ssh://x/y', 'ssh://x', 'file:///x', 'git@host:x', 'GitHub.com/x/y', 'github.com:x/y', 'gh:x/y', 'user@host/x'])('%s would be fetched', (reference) => {
    expect(isRemote(reference)).toBe(true);
  });

  it.each(['a.yaml', '../base', './github.com/x', 'https', 'x/https://y', '@scope/x', 'github.company/x', ''])('%j is a path', (reference) => {
    expect(isRemote(reference)).toBe(false);
  });
});

describe('the references of a values schema', () => {
  it.each<{ schema: Json; foreign: string | undefined }>([
    { schema: { $ref: '#/definitions/a' }, foreign: undefined },
    { schema: { $schema: 'https://json-schema.org/draft/2020-12/schema' }, foreign: undefined },
    { schema: { $schema: 'http://json-schema.org/draft-07/schema#' }, foreign: undefined },
    { schema: { $id: 'https://x.org/a.json', allOf: [{ $id: 'b.json' }, { $ref: 'https://x.org/b.json#/c' }] }, foreign: undefined },
    { schema: { $ref: 'urn:a:b' }, foreign: undefined },
    { schema: { allOf: [{ $ref: 'other.json' }] }, foreign: 'other.json' },
    { schema: { $ref: 'file:///etc/passwd' }, foreign: 'file:///etc/passwd' },
    { schema: { $dynamicRef: 'https://x.org/#a' }, foreign: 'https://x.org/#a' },
    { schema: { $schema: 'https://json-schema.org.evil.org/draft-07/schema' }, foreign: 'https://json-schema.org.evil.org/draft-07/schema' },
    { schema: null, foreign: undefined },
  ])('$schema leave it for $foreign', ({ schema, foreign }) => {
    expect(foreignReference(schema)).toBe(foreign);
  });
});

describe('the schemas of a packed chart', () => {
  const entry = (name: string, content: Uint8Array | string, type = '0'): Buffer => {
    const body = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write(type, 156);
    return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
  };
  const pack = (...entries: readonly Buffer[]): Uint8Array => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
  const schemasOf = async (archive: Uint8Array): Promise<readonly string[]> => (await packedSchemas(archive)).map((schema) => Buffer.from(schema).toString());

  it('are found, also in charts that are packed in it', async () => {
    const inner = pack(entry('sub/values.schema.json', 'inner'));
    expect(await schemasOf(pack(entry('c/Chart.yaml', 'x'), entry('c/values.schema.json', 'outer'), entry('c/charts/sub.tgz', inner)))).toEqual(['outer', 'inner']);
  });

  it('are whatever a header gives another name', async () => {
    expect(await schemasOf(pack(entry('@', 'path=c/values.schema.json', 'x'), entry('c/innocent', 'hidden'), entry('c/other', 'plain')))).toEqual(['hidden']);
  });

  it.each([Buffer.from('no archive'), gzipSync('no tar'), gzipSync(Buffer.alloc(600, 'x'))])('are none where it is broken', async (archive) => {
    expect(await schemasOf(archive)).toEqual([]);
  });
});
