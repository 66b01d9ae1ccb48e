// Asks kubectl what it reads: `npm run record:yaml` writes test/fixtures/yaml-table.json from test/fixtures/yaml-inputs.ts.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalJson, isObject, parseJson, type Json, type JsonObject } from '../../src/model/index.ts';
import { yamlInputs, type YamlInput } from '../fixtures/yaml-inputs.ts';
import { controlPlaneBinary } from './control-plane.ts';
import { tempFolder } from './temp-folder.ts';

/** Documents are canonical JSON texts, so that no reader rounds them. */
export type YamlAnswer = { readonly documents: readonly string[] } | { readonly error: string };

export type YamlEntry = YamlAnswer & { readonly name: string; readonly input: string };

const parallel = 2;
// kubectl has no command that only reads. This one works without a server, for any kind, and adds an annotation.
const annotation = 'setpoint.dev/recorded';
const nothingToAnnotate = 'no objects passed to annotate';

export async function recordYamlTable(inputs: readonly YamlInput[]): Promise<readonly YamlEntry[]> {
  const queue = [...inputs.entries()];
  const entries: YamlEntry[] = [];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [position, { name, text }] = next;
      entries[position] = { name, input: text, ...(await askKubectl([text])) };
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return entries;
}

/** What kubectl makes of some files, in one call: all of their documents, or the first error. */
export async function askKubectl(texts: readonly string[]): Promise<YamlAnswer> {
  const binary = await controlPlaneBinary();
  await using folder = await tempFolder();
  const home = folder.path;
  const names = texts.map((_text, at) => (texts.length === 1 ? 'input.yaml' : `input-${at}.yaml`));
  await Promise.all(texts.map((text, at) => writeFile(join(home, names[at] ?? ''), text)));
  const args = ['kubectl', 'annotate', '--local', ...names.flatMap((name) => ['-f', name]), `${annotation}=true`, '-o', 'json'];
  return await new Promise<YamlAnswer>((resolve) => {
    execFile(binary, args, { cwd: home, env: { HOME: home }, maxBuffer: 2 ** 26 }, (failure, stdout, stderr) => {
      const read = failure === null || stderr.includes(nothingToAnnotate);
      const documents = splitObjects(stdout).map((text) => canonicalJson(withoutAnnotation(parseJson(text))));
      resolve(read ? { documents } : { error: stderr.trim() });
    });
  });
}

/** kubectl prints one indented object after another. */
function splitObjects(output: string): readonly string[] {
  return output.split(/(?<=^\})\n/m).filter((text) => text.trim() !== '');
}

function withoutAnnotation(document: Json): Json {
  if (!isObject(document) || !isObject(document['metadata'])) return document;
  const { annotations, ...metadata } = document['metadata'];
  const { [annotation]: _ours, ...others } = annotations as JsonObject;
  return { ...document, metadata: Object.keys(others).length === 0 ? metadata : { ...metadata, annotations: others } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const entries = await recordYamlTable(yamlInputs);
  const table = new URL('../fixtures/yaml-table.json', import.meta.url);
  await writeFile(table, `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`);
  const refused = entries.filter((entry) => 'error' in entry).length;
  console.log(`recorded ${entries.length} inputs, of which kubectl refuses ${refused}`);
}
