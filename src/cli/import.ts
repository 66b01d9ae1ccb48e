import { importArgocd } from '../import/index.ts';
import { SetpointError, stringifyJson } from '../model/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { oneLine, yamlText } from './format/index.ts';
import { readImportCluster } from './import-cluster.ts';
import { readImportFiles } from './import-files.ts';
import { importReport, importText, type ImportedDocument } from './import-report.ts';
import { printDocuments } from './print-documents.ts';
import { untilInterrupted } from './status-interrupt.ts';

export interface ImportFlags {
  readonly filename?: string;
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly report: boolean;
  readonly output?: 'yaml' | 'json';
}

/** Reads documents of Argo CD's and prints ours. Writes to no cluster. */
export async function runImport(flags: ImportFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const say = (text: string): void => void process.stderr.write(text);
  const { filename, namespace } = flags;
  const { documents, findings } = filename === undefined ? await readImportCluster(flags, untilInterrupted(process)) : await readImportFiles(filename, process.stdin);
  const broken = findings.filter(({ severity }) => severity === 'error');
  for (const { severity, origin, message } of findings) say(`setpoint: ${oneLine(`${origin}: ${severity}: ${message}`)}\n`);
  const imported = documents.flatMap(({ origin, object }): ImportedDocument[] => {
    const outcome = importArgocd(object);
    return outcome.type === 'foreign' ? [] : [{ origin, object, outcome }];
  });
  if (imported.length === 0 && broken.length === 0) {
    throw new SetpointError('Usage', `Applications of argoproj.io are wanted, got none ${filename === undefined ? `in ${namespace === undefined ? 'the cluster' : `namespace ${namespace}`}` : `among ${documents.length} documents of ${filename}: check -f`}`);
  }
  finish(broken.length > 0 || imported.some(({ outcome }) => outcome.type === 'refused') ? exitCode.partial : exitCode.done);
  if (flags.report) {
    output.write(flags.output === undefined ? importText(imported) : flags.output === 'json' ? `${stringifyJson(importReport(imported), 2)}\n` : yamlText(importReport(imported)));
    return;
  }
  say(importText(imported));
  const converted = imported.flatMap(({ origin, outcome }) => (outcome.type === 'converted' ? [{ origin, object: outcome.document }] : []));
  if (flags.output === 'json') output.write(`${stringifyJson({ apiVersion: 'v1', kind: 'List', items: converted.map(({ object }) => object) }, 2)}\n`);
  else printDocuments({ documents: converted, findings: [] }, 'yaml', output.write);
}
