import { childOf, isObject, SetpointError, valueAt, type Json, type Source } from '../model/index.ts';
import { readBlock } from './fields/read-block.ts';
import { specField } from './fields/spec-field.ts';
import { otherKind, readIdentity } from './read-identity.ts';
import { readSources } from './read-sources.ts';
import type { Report } from './report.ts';

/** What an Application document says about where its objects come from. */
export interface DeclaredApplication {
  readonly name: string;
  /** Of objects that name none. */
  readonly namespace: string | undefined;
  readonly sources: readonly Source[];
  /** Fields of the sources that mean nothing here, such as `spec.source.helm.passCredentials`. */
  readonly unsupported: readonly string[];
}

const { source, sources } = specField.fields;
const sourcesField = { type: 'block', fields: { ...(source && { source }), ...(sources && { sources }) } } as const;

/** For those who only render: wherever it is deployed, and whatever is done about differences. Throws at the first mistake. */
export function declaredApplication(document: Json): DeclaredApplication {
  const unsupported: string[] = [];
  const report: Report = {
    mistake(at, problem) {
      throw new SetpointError('Usage', `${at}: ${problem}`);
    },
    warning: (at) => void unsupported.push(at),
  };
  const other = otherKind(document);
  if (other !== undefined || !isObject(document)) throw new SetpointError('Usage', other ?? 'an Application is wanted');
  const { name } = readIdentity(document, report);
  const spec = childOf(document, 'spec');
  if (!isObject(spec)) throw new SetpointError('Usage', `Application ${name} has no spec`);
  const values = readBlock(spec, { at: 'spec', field: sourcesField, others: 'left' }, report);
  const namespace = valueAt(spec, ['destination', 'namespace']);
  return { name, namespace: typeof namespace === 'string' ? namespace : undefined, sources: readSources({ written: spec, values, repository: (url) => url }, report), unsupported };
}
