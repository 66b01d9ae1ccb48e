import { expect, test } from 'vitest';
import { resourceKey, type AgreedState, type AgreedStates, type ResourceKey } from '../../../src/model/index.ts';
import { compareAll, type CompareOptions } from '../../../src/reconcile/compare-all.ts';
import { identifyParts } from '../../../src/reconcile/identify-parts.ts';

const document = { origin: 'policy.yaml#1', object: { apiVersion: 'projectcalico.org/v3', kind: 'GlobalNetworkPolicy', metadata: { name: 'p' } } };
const agreed = { desired: 'd' } as unknown as AgreedState;

/** The key by which a document is compared, while the server of its API group is down. */
async function keyWhileDown(known: AgreedStates | undefined): Promise<unknown> {
  const options = {
    ...{ namespace: 'prod', salt: '', tag: () => '', signal: new AbortController().signal },
    cluster: { discover: () => Promise.resolve({ lookUp: () => ({ type: 'unavailable' }) }), readMany: () => Promise.resolve(new Map()) },
    ...(known !== undefined && { standing: { agreed: known, watch: { follow: () => Promise.resolve() }, memory: { identify: identifyParts, retain: () => undefined } } }),
  } as unknown as CompareOptions;
  const { compared } = await compareAll([document], options);
  expect(compared).toMatchObject([{ diff: { type: 'unknown' } }]);
  return compared[0]?.diff.key;
}

const [cluster, namespaced] = ['', 'prod'].map((namespace) => resourceKey({ group: 'projectcalico.org', kind: 'GlobalNetworkPolicy', namespace, name: 'p' })) as [ResourceKey, ResourceKey];

test.each<[string, AgreedStates | undefined, ResourceKey]>([
  ['keeps its name where it is known to have no namespace: it is not another object', { [cluster]: agreed }, cluster],
  ['is taken to have one where it was known so', { [namespaced]: agreed }, namespaced],
  ['is taken to have one where nothing is known of it', {}, namespaced],
  ['is taken to have one where nobody remembers', undefined, namespaced],
])('an object whose kind is not served just now %s', async (_name, known, key) => {
  expect(await keyWhileDown(known)).toBe(key);
});
