import { createHash } from 'node:crypto';
import type { EngineOutput } from './engine/engine.ts';
import type { YamlReader } from './parse/yaml-reader.ts';
import type { SourceOutput } from './read-folder.ts';

interface Reading {
  /** The folder that was rendered. */
  readonly path: string;
  readonly yaml: YamlReader;
  readonly signal: AbortSignal;
}

/** The text of an engine as documents, each with the file it came from. */
export async function readOutput({ text, origins }: EngineOutput, { path, yaml, signal }: Reading): Promise<SourceOutput> {
  const content = Buffer.from(text);
  const id = createHash('sha256').update(content).digest('hex');
  const [parsed] = await yaml.read([{ id, path, content: () => Promise.resolve(content) }], signal);
  const counts = new Map<string, number>();
  const names = new Map<number, string>();
  for (const { index } of parsed?.documents ?? []) {
    const file = origins[index - 1] ?? (path || '.');
    const count = (counts.get(file) ?? 0) + 1;
    counts.set(file, count);
    names.set(index, `${file}#${count}`);
  }
  return {
    files: [{ documents: parsed?.documents ?? [], originOf: (index) => names.get(index) ?? path }],
    findings: [],
    bytes: content.length,
  };
}
