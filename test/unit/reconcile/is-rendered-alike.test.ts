import { expect, test } from 'vitest';
import { plainApplication, resourceKey, type Finding, type JudgedResource, type SourceDocument } from '../../../src/model/index.ts';
import { isRenderedAlike } from '../../../src/reconcile/is-rendered-alike.ts';
import type { Observation } from '../../../src/reconcile/observe.ts';
import type { Ports } from '../../../src/reconcile/ports.ts';

const { signal } = new AbortController();
const application = plainApplication({ name: 'shop', sources: [], destination: { namespace: 'shop' } });
const document = (name: string): SourceDocument => ({ origin: `${name}.yaml#1`, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } } });
const kind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false };
const judged = (name: string): JudgedResource => ({ diff: { type: 'same', key: resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name }) } as unknown as JudgedResource['diff'] });
const seen = { judgement: { commit: 'c1', resources: [judged('a'), judged('b')] }, commits: ['c1'], hooks: [] } as unknown as Observation;

interface Again {
  readonly commits?: readonly string[];
  readonly documents?: readonly SourceDocument[];
  readonly findings?: readonly Finding[];
  readonly error?: Error;
}

function ports({ commits = ['c1'], documents = [document('b'), document('a')], findings = [], error }: Again): Pick<Ports, 'desired' | 'cluster'> {
  const documentsAnew = (): Promise<unknown> => (error === undefined ? Promise.resolve({ documents, findings }) : Promise.reject(error));
  return {
    desired: { at: () => Promise.resolve({ commit: commits[0] ?? '', commits, trouble: undefined, documents: documentsAnew, documentsAnew }) },
    cluster: { discover: () => Promise.resolve({ lookUp: () => ({ type: 'served', kind }), apiVersions: [], kubeVersion: () => Promise.resolve('v1') }) },
  } as unknown as Pick<Ports, 'desired' | 'cluster'>;
}

test.each<[string, Again, boolean]>([
  ['the same list, in whatever order', {}, true],
  ['a list that lacks something', { documents: [document('a')] }, false],
  ['a list that has more', { documents: [document('a'), document('b'), document('c')] }, false],
  ['another commit', { commits: ['c2'] }, false],
  ['a list of which something could not be read', { findings: [{ severity: 'error', origin: 'c.yaml#1', message: 'no YAML' }] }, false],
  ['one with a remark', { findings: [{ severity: 'warning', origin: 'c.yaml#1', message: 'odd' }] }, true],
  ['no answer', { error: new Error('the engine is gone') }, false],
])('%s', async (_name, again, expected) => {
  expect(await isRenderedAlike({ application, observation: seen }, ports(again), signal)).toBe(expected);
});
