// What is deployed: the examples as they are, and a generated monitoring system some times over.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject, SourceDocument } from '../../src/model/index.ts';
import { openLocalTree } from '../../src/render/index.ts';
import { createSourceRenderer } from '../../src/sources.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { monitoringDefinitions } from '../monitoring/definitions.ts';
import { monitoringStack } from '../monitoring/stack.ts';

export interface DocumentSet {
  readonly name: string;
  readonly documents: readonly SourceDocument[];
}

type MakeNamespace = () => Promise<string>;

const examples = join(import.meta.dirname, '..', '..', 'examples');
const seed = 20;

/** Every folder of examples/ that has manifests, each in a namespace of its own. */
export async function exampleSet(makeNamespace: MakeNamespace): Promise<DocumentSet> {
  const folders = (await readdir(examples, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const documents: SourceDocument[] = [];
  const renderer = createSourceRenderer({ renderer: 'wasm', env: process.env });
  const tree = await openLocalTree({ root: examples });
  for (const { name } of folders) {
    const source = { tree, path: name, ref: undefined, options: { directory: { recurse: true } } };
    const rendered = await renderer.render([source], { name, namespace: 'default', capabilities: undefined }, new AbortController().signal).catch(() => undefined);
    if (rendered === undefined) continue;
    const namespace = await makeNamespace();
    if (rendered.findings.some(({ severity }) => severity === 'error')) throw new Error(`examples/${name} has errors: ${JSON.stringify(rendered.findings)}`);
    documents.push(...rendered.documents.map(({ origin, object }) => ({ origin: `examples/${origin}`, object: placedIn(namespace, object) })));
  }
  await renderer.close();
  return { name: 'examples/', documents };
}

export async function generatedSet(makeNamespace: MakeNamespace, stacks: number): Promise<DocumentSet> {
  const namespaces: string[] = [];
  for (let stack = 0; stack < stacks; stack++) namespaces.push(await makeNamespace());
  // Named after a namespace of ours, so that nothing of another's is met.
  const group = `monitoring.${namespaces[0] ?? 'none'}.example.com`;
  const objects = [...monitoringDefinitions(group), ...namespaces.flatMap((namespace, at) => monitoringStack({ namespace, group, random: seededRandom(seed + at) }))];
  return { name: 'generated', documents: objects.map((object, at) => ({ origin: `generated#${at + 1}`, object })) };
}

/** Kinds without a namespace do not mind. */
function placedIn(namespace: string, object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace ?? namespace } };
}
