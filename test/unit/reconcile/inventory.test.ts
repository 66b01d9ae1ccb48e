import { expect, test } from 'vitest';
import { resourceKey, trackingAnnotation, type Inventory, type KubeObject, type Plan, type ResourceKey } from '../../../src/model/index.ts';
import { trackingId } from '../../../src/plan/index.ts';
import { intendedBy, inventoryAfter, withoutIntended, withWritten } from '../../../src/reconcile/inventory.ts';

const applicationId = 'shop/web';
const key = (name: string): ResourceKey => resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name });
const object = (name: string, { uid = `uid-${name}`, mark }: { readonly uid?: string; readonly mark?: string } = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'shop', uid, ...(mark !== undefined && { annotations: { [trackingAnnotation]: mark } }) },
});
const marked = (name: string): KubeObject => object(name, { mark: trackingId(applicationId, key(name)) });
const entry = (name: string): Inventory[ResourceKey] => ({ uid: `uid-${name}`, version: 'v1' });
const after = (before: Inventory, { live = [], declared = [], left = [] }: { live?: readonly KubeObject[]; declared?: readonly string[]; left?: readonly string[] }): Inventory =>
  inventoryAfter(before, { applicationId, objects: new Map(live.map((each) => [key(each.metadata.name), each])), declared: new Set(declared.map(key)), left: left.map(key) });

test('what is declared and bears our mark is ours, also where nobody remembers', () => {
  expect(after({}, { live: [marked('a'), object('b')], declared: ['a', 'b'] })).toEqual({ [key('a')]: entry('a') });
});

test('a mark that was copied from another object, or is of another application, makes nothing ours', () => {
  const copied = object('a', { mark: trackingId(applicationId, key('b')) });
  const theirs = object('b', { mark: trackingId('shop/other', key('b')) });
  expect(after({}, { live: [copied, theirs], declared: ['a', 'b'] })).toEqual({});
});

test('what Git no longer has stays ours while it is there, and is forgotten when it is gone', () => {
  expect(after({ [key('a')]: entry('a'), [key('b')]: entry('b') }, { live: [object('a')], left: ['a', 'b'] })).toEqual({ [key('a')]: entry('a') });
});

test('what another application has taken over is no longer ours when Git has dropped it here; a mark that was copied takes nothing', () => {
  const taken = object('a', { mark: trackingId('shop/other', key('a')) });
  const copied = object('b', { mark: trackingId('shop/other', key('a')) });
  const before = { [key('a')]: entry('a'), [key('b')]: entry('b') };
  expect(after(before, { live: [taken, copied], left: ['a', 'b'] })).toEqual({ [key('b')]: entry('b') });
  expect(after(before, { live: [taken, copied], declared: ['a', 'b'] })).toEqual(before);
});

test('writes of our own count at once', () => {
  const written = new Map([[key('a'), null], [key('b'), object('b')]] as const);
  expect(withWritten({ [key('a')]: entry('a') }, written)).toEqual({ [key('b')]: entry('b') });
});

test('what is about to be made is on record before, gets its UID from what bears the mark, and is forgotten if it was never made', () => {
  const plan: Plan = { hash: '', commit: null, content: '', hooks: {}, steps: [{ type: 'apply', key: key('a'), phase: 'Sync', wave: 0, why: 'missing' }] };
  const kind = { group: 'apps', version: 'v1', kind: 'Deployment', resource: 'deployments', namespaced: true, hasStatus: true };
  const intended = intendedBy(plan, [{ manifest: { key: key('a'), object: object('a'), origin: '' }, kind }], {});
  expect(intended).toEqual({ [key('a')]: { uid: '', version: 'v1' } });
  expect(after(intended, { live: [marked('a')], left: ['a'] })).toEqual({ [key('a')]: entry('a') });
  expect(withoutIntended(intended, new Set())).toEqual({});
});

test('what was to be made and got no answer stays known while Git has it, and is not ours where somebody else made it', () => {
  const intended: Inventory = { [key('a')]: { uid: '', version: 'v1' } };
  expect(withoutIntended(intended, new Set([key('a')]))).toEqual(intended);
  expect(after(intended, { live: [object('a')], declared: ['a'] })).toEqual(intended);
  expect(after(intended, { live: [object('a')], left: ['a'] })).toEqual({});
  expect(after(intended, { live: [marked('a')], left: ['a'] })).toEqual({ [key('a')]: entry('a') });
});
