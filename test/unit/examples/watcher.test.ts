import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readApplication } from '../../../src/apps/index.ts';
import { parseIgnoreRules } from '../../../src/diff/index.ts';
import { modeOf, type KubeObject } from '../../../src/model/index.ts';
import { renderPlain } from '../../../src/render/index.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'examples', 'watcher');
const documentsOf = (name: string): ReturnType<typeof renderPlain>['documents'] => renderPlain([{ path: name, content: readFileSync(join(folder, name)) }]).documents;
const applications = documentsOf('applications.yaml').map(({ object }) => readApplication(object));
const specs = applications.flatMap((read) => (read.type === 'application' ? [read.spec] : []));

test('both Applications are read without a warning', () => {
  expect(applications).toMatchObject([{ type: 'application', spec: { name: 'podinfo', warnings: [] } }, { type: 'application', spec: { name: 'guestbook', warnings: [] } }]);
});

test.each(specs)('$name only tells: nothing is ever changed for it', (spec) => {
  expect(modeOf(spec, new Date())).toBe('alert');
  expect(spec).toMatchObject({ policy: { deploy: 'manual', drift: 'Alert', foreignFields: 'Report', prune: false }, deletionPolicy: 'Orphan' });
});

test.each(specs)('the rules of $name are understood', ({ ignoreRules }) => {
  expect(parseIgnoreRules([...ignoreRules])).toMatchObject({ type: 'rules' });
});

const ofKind = (kind: string): readonly KubeObject[] => documentsOf('role.yaml').flatMap(({ object }) => (object.kind === kind ? [object] : []));

test('the role lets nothing be changed', () => {
  const rules = ofKind('ClusterRole').flatMap(({ rules: listed }) => listed as unknown as readonly { readonly verbs: readonly string[]; readonly resources: readonly string[] }[]);
  expect(new Set(rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(['get', 'list', 'watch']));
  expect(rules.flatMap(({ resources }) => resources)).not.toContain('secrets');
});

test('one account has it, in every namespace where the Applications look, and nowhere else', () => {
  const [role, ...otherRoles] = ofKind('ClusterRole');
  const [account, ...otherAccounts] = ofKind('ServiceAccount');
  const bindings = ofKind('RoleBinding');
  expect([otherRoles, otherAccounts, ofKind('ClusterRoleBinding')]).toEqual([[], [], []]);
  expect(bindings.map(({ metadata }) => metadata.namespace)).toEqual(specs.map(({ destination }) => destination.namespace));
  for (const { roleRef, subjects } of bindings) {
    expect(roleRef).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role?.metadata.name });
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name: account?.metadata.name, namespace: account?.metadata.namespace }]);
  }
});
