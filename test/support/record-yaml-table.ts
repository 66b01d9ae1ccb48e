// Asks kubectl what it reads: `npm run record:yaml` writes test/fixtures/yaml-table.json from test/fixtures/yaml-inputs.ts.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
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
  const binary = process.env['SETPOINT_CONTROL_PLANE_BIN'] ?? (await controlPlaneBinary());
  await using folder = await tempFolder();
  const queue = [...inputs.entries()];
  const entries: YamlEntry[] = [];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [position, { name, text }] = next;
      const home = join(folder.path, String(position));
      await mkdir(home);
      await writeFile(join(home, 'input.yaml'), text);
      entries[position] = { name, input: text, ...(await askKubectl(binary, home)) };
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return entries;
}

function askKubectl(binary: string, home: string): Promise<YamlAnswer> {
  const args = ['kubectl', 'annotate', '--local', '-f', 'input.yaml', `${annotation}=true`, '-o', 'json'];
  return new Promise((resolve) => {
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
