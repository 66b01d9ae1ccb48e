import { applicationKind, shownText, type JsonObject } from '../model/index.ts';
import { saysSomething } from './fields/read-block.ts';
import type { Report } from './report.ts';

interface Checked {
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
}

const rootFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status', 'operation']);
const argoFinalizer = 'resources-finalizer.argocd.argoproj.io';
const keptHistory = 10;

/** Warns of what is well formed and has no effect. */
export function nameOddities(document: JsonObject, { metadata, spec }: Checked, report: Report): void {
  const { apiVersion, operation } = document;
  if (typeof apiVersion === 'string' && apiVersion.split('/')[1] !== applicationKind.version) report.warning('apiVersion', `is read as ${applicationKind.version}`);
  if (saysSomething(operation ?? null)) report.warning('operation', 'is not supported, and has no effect');
  for (const name of Object.keys(document)) {
    if (!rootFields.has(name)) report.warning(/^[\w-]{1,63}$/.test(name) ? name : shownText(name), 'is not a field of an Application, and has no effect');
  }
  const { finalizers } = metadata as { finalizers?: readonly string[] };
  if (finalizers?.some((finalizer) => finalizer.startsWith(argoFinalizer)) === true) {
    report.warning('metadata.finalizers', `has ${argoFinalizer}, which only Argo CD removes, and which has no other effect here: use spec.deletionPolicy`);
  }
  const { project = '', revisionHistoryLimit = keptHistory } = spec;
  if (project !== '' && project !== 'default') report.warning('spec.project', 'has no effect: there are no projects, the rights in the cluster decide');
  if (revisionHistoryLimit !== keptHistory) report.warning('spec.revisionHistoryLimit', `has no effect: the last ${keptHistory} are kept`);
}
