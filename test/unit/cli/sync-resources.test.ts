import { expect, test } from 'vitest';
import { knownResources, selectResources } from '../../../src/cli/sync-resources.ts';
import { emptyStatus, resourceKey } from '../../../src/model/index.ts';
import { changed, deployment } from './status-items.ts';

const env = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'prod', name: 'env' });
const old = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'prod', name: 'old' });
const keys = [env, old, deployment];

test.each<[string, readonly string[], readonly string[] | undefined]>([
  ['no pattern is all', [], undefined],
  ['a kind and a name', ['Deployment/checkout'], [deployment]],
  ['a group, a kind and a name', ['apps/Deployment/checkout'], [deployment]],
  ['several', ['ConfigMap/env', 'Deployment/checkout'], [env, deployment]],
  ['wildcards', ['ConfigMap/*'], [env, old]],
  ['all but one', ['!ConfigMap/old'], [env, deployment]],
])('%s', (_name, patterns, selected) => {
  expect(selectResources(patterns, keys)).toEqual(selected);
});

test.each([
  [['Deployment/chekcout'], 'no resource matches --resource Deployment/chekcout: did you mean Deployment/checkout?'],
  [['app/Deployment/checkout'], 'did you mean apps/Deployment/checkout?'],
  [['apps/Deployment/prd/checkout'], 'did you mean apps/Deployment/prod/checkout?'],
  [['Deployment/checkout', 'Job/migrate-the-world'], 'no resource matches --resource Job/migrate-the-world'],
  [['ConfigMap/env', '!ConfigMap/*'], 'leaves nothing to sync'],
  [['checkout'], 'is not understood'],
])('%s is a mistake', (patterns, message) => {
  expect(() => selectResources(patterns, keys)).toThrow(message);
});

test('known are those that differ, are held, are ill or were applied once, each once', () => {
  const status = { ...emptyStatus('a'), resources: [changed()], held: [{ key: old, code: 'PruneDisabled', why: '' }], inventory: { [deployment]: { uid: 'u', version: 'v1' }, [env]: { uid: 'u', version: 'v1' } } } as const;
  expect(knownResources(status)).toEqual([env, old, deployment]);
});
