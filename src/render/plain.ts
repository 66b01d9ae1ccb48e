import { SetpointError, type SourceFile } from '../model/index.ts';
import { readDocuments, type Rendered } from './documents.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** Every document of files that are at hand, at once: what a pipe brought, for one. */
export function renderPlain(files: readonly SourceFile[]): Rendered {
  const rendered = readDocuments(files.map(({ path, content }) => ({ documents: parseYaml(content), originOf: (index) => `${path}#${index}` })));
  if (rendered.documents.length > 0 || rendered.findings.length > 0) return rendered;
  // An empty answer is what a broken pipe looks like; it must not read as "in sync".
  throw new SetpointError('InvalidManifest', `no Kubernetes object in ${files.map(({ path }) => path).join(', ') || 'any file'}: nothing to compare`);
}
