import { describe, expect, it } from 'vitest';
import { configMap, failureOf, kustomize, render, type Subject } from './subject.ts';

const base = { 'base/kustomization.yaml': 'resources: [a.yaml]\n', 'base/a.yaml': configMap('a', 'data:\n  from: base\n') };
const transformer = (kind: string, more: string): string => `apiVersion: builtin\nkind: ${kind}\nmetadata:\n  name: x\n${more}`;

const cases = [
  { what: 'a folder', files: base, folder: 'base', names: ['a'] },
  { what: 'a base outside the folder', files: { ...base, 'over/kustomization.yaml': 'namePrefix: x-\nresources: [../base]\n' }, folder: 'over', names: ['x-a'] },
  { what: 'a kustomization at the root', files: { 'Kustomization': 'resources: [base/a.yaml]\n', ...base }, folder: '', names: ['a'] },
  {
    what: 'a component',
    files: { ...base, 'c/kustomization.yml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -c\n', 'o/kustomization.yaml': 'resources: [../base]\ncomponents: [../c]\n' },
    folder: 'o',
    names: ['a-c'],
  },
  {
    what: 'a generator and a transformer from files that name files',
    files: {
      'k/kustomization.yaml': 'generators: [gen.yaml]\ntransformers: [plugins]\n',
      'k/gen.yaml': transformer('ConfigMapGenerator', 'options: {disableNameSuffixHash: true}\nname: made\nfiles: [key=data/file.txt]\n').replace('  name: x\n', '  name: made\n'),
      'k/data/file.txt': 'hello',
      'k/plugins/kustomization.yaml': 'resources: [patch.yaml]\n',
      'k/plugins/patch.yaml': transformer('PatchTransformer', 'path: rename.yaml\ntarget: {kind: ConfigMap}\noptions: {allowNameChange: true}\n'),
      'k/rename.yaml': configMap('renamed'),
    },
    folder: 'k',
    names: ['renamed'],
  },
  {
    what: 'a transformer in the kustomization itself',
    files: { ...base, 'k/kustomization.yaml': `resources: [../base]\ntransformers:\n- |\n${transformer('PrefixTransformer', 'prefix: in-\nfieldSpecs: [{path: metadata/name}]\n').replaceAll(/^/gm, '  ')}\n` },
    folder: 'k',
    names: ['in-a'],
  },
];

export function testKustomize({ engine }: Subject): void {
  describe('Kustomize', () => {
    it.each(cases)('renders $what', async ({ files, folder, names }) => {
      const { text, origins } = await render(engine(), kustomize(folder), files);
      expect([...text.matchAll(/^ {2}name: (.*)$/gm)].map(([, name]) => name)).toEqual(names);
      expect(origins).toHaveLength(names.length);
      expect(origins.filter((origin) => origin !== undefined && !Object.hasOwn(files, origin))).toEqual([]);
    });

    it('merges patches, replacements, and generators with files, envs and literals', async () => {
      const kustomization = `
resources: [../base]
patches:
- path: patch.yaml
- {target: {kind: ConfigMap, name: a}, patch: '- {op: add, path: /data/inline, value: "1"}'}
patchesStrategicMerge:
- |
${configMap('a', 'data:\n  merged: "2"\n').replaceAll(/^/gm, '  ')}
replacements: [{path: replacement.yaml}]
generatorOptions: {disableNameSuffixHash: true}
configMapGenerator:
- {name: made, files: [text.txt, other=text.txt], envs: [app.env], literals: [x=y]}
`;
      const files = {
        ...base,
        'k/kustomization.yaml': kustomization,
        'k/patch.yaml': configMap('a', 'data:\n  patched: "3"\n'),
        'k/replacement.yaml': 'source: {kind: ConfigMap, name: a, fieldPath: data.from}\ntargets: [{select: {name: a}, fieldPaths: [data.copied], options: {create: true}}]\n',
        'k/text.txt': 'text',
        'k/app.env': 'A=b\n',
      };
      const { text } = await render(engine(), kustomize('k'), files);
      expect(text).toBe(
        `${configMap('a', '').replace('metadata:\n  name: a\n', '').replace('kind:', 'data:\n  copied: base\n  from: base\n  inline: "1"\n  merged: "2"\n  patched: "3"\nkind:')}metadata:\n  name: a\n---\napiVersion: v1\ndata:\n  A: b\n  other: text\n  text.txt: text\n  x: "y"\nkind: ConfigMap\nmetadata:\n  name: made\n`,
      );
    });

    const override = (content: string): { readonly path: string; readonly content: Uint8Array } => ({ path: 'base/kustomization.yaml', content: Buffer.from(content) });

    it("takes another kustomization in the place of the folder's own", async () => {
      const { text } = await render(engine(), kustomize('base', override('resources: [a.yaml]\nnamePrefix: over-\n')), base);
      expect(text).toContain('name: over-a\n');
    });

    it('takes it also where the folder has its own under another name, or none', async () => {
      const named = { 'base/kustomization.yml': 'resources: [gone.yaml]\n', 'base/a.yaml': configMap('a') };
      const none = { 'base/a.yaml': configMap('a') };
      for (const files of [named, none]) {
        const { text } = await render(engine(), kustomize('base', override('resources: [a.yaml]\nnameSuffix: -x\n')), files);
        expect(text).toContain('name: a-x\n');
      }
    });

    const wrong = [
      { what: 'a resource that is not there', files: { 'k/kustomization.yaml': 'resources: [gone.yaml]\n' }, says: /gone\.yaml/ },
      { what: 'a kustomization that is no YAML', files: { 'k/kustomization.yaml': 'resources: [\n' }, says: /./ },
      { what: 'a field that is unknown', files: { 'k/kustomization.yaml': 'resourcez: [a.yaml]\n' }, says: /resourcez/ },
      { what: 'a resource that is no YAML', files: { 'k/kustomization.yaml': 'resources: [a.yaml]\n', 'k/a.yaml': 'a: [\n' }, says: /a\.yaml/ },
      { what: 'a file outside the folder', files: { 'k/kustomization.yaml': 'resources: [../a.yaml]\n', 'a.yaml': configMap('a') }, says: /a\.yaml/ },
      { what: 'a base without a kustomization', files: { 'k/kustomization.yaml': 'resources: [../b]\n', 'b/a.yaml': configMap('a') }, says: /b/ },
      { what: 'bases in a circle', files: { 'k/kustomization.yaml': 'resources: [../b]\n', 'b/kustomization.yaml': 'resources: [../k]\n' }, says: /cycle/ },
      { what: 'two kustomization files', files: { 'k/kustomization.yaml': 'namePrefix: a\n', 'k/Kustomization': 'namePrefix: b\n' }, says: /[Kk]ustomization/ },
    ];
    it.each(wrong)('refuses $what, with paths of the tree', async ({ files, says }) => {
      const { code, message } = await failureOf(render(engine(), kustomize('k'), files));
      expect([code, message]).toEqual(['RenderFailed', expect.stringMatching(says)]);
      expect(message).not.toMatch(/tmp|setpoint-render/);
    });
  });
}
