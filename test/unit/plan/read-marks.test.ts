import { describe, expect, test } from 'vitest';
import { isHook, readMarks, type Marks } from '../../../src/plan/index.ts';
import { keyOf, objectOf } from './scene.ts';

function marksOf(annotations: Readonly<Record<string, string>>): Marks {
  return readMarks(objectOf(keyOf('batch/Job shop/migrate'), annotations));
}

test('an object without marks is a resource of wave 0', () => {
  expect(marksOf({})).toEqual({ role: 'resource', phases: [], wave: 0, deletePolicies: ['BeforeHookCreation'], options: {}, problems: [] });
});

describe('waves', () => {
  test.each<[string, Record<string, string>, number]>([
    ['ours', { 'setpoint.dev/sync-wave': '3' }, 3],
    ['those of Argo CD', { 'argocd.argoproj.io/sync-wave': '-2' }, -2],
    ['ours before those of Argo CD', { 'argocd.argoproj.io/sync-wave': '9', 'setpoint.dev/sync-wave': '-1' }, -1],
    ['weights of Helm', { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-weight': '-5' }, -5],
    ['a wave before a weight', { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-weight': '-5', 'argocd.argoproj.io/sync-wave': '2' }, 2],
  ])('%s count', (_name, annotations, wave) => {
    expect(marksOf(annotations)).toMatchObject({ wave, problems: [] });
  });

  test.each(['one', '1.5', '', ' 1', '0x1', '99999999999'])('"%s" is no wave, and a problem', (wave) => {
    expect(marksOf({ 'argocd.argoproj.io/sync-wave': wave }).problems).toEqual([`argocd.argoproj.io/sync-wave is to be a whole number, and is "${wave}"`]);
  });
});

describe('hooks', () => {
  test.each<[string, Record<string, string>, Partial<Marks>]>([
    ['of ours', { 'setpoint.dev/hook': 'PreSync' }, { role: 'hook', phases: ['PreSync'] }],
    ['of Argo CD in several phases', { 'argocd.argoproj.io/hook': 'PostSync, PreSync' }, { role: 'hook', phases: ['PreSync', 'PostSync'] }],
    ['that are to be skipped', { 'argocd.argoproj.io/hook': 'Skip' }, { role: 'skipped', phases: [] }],
    ['of Helm before an install or an upgrade', { 'helm.sh/hook': 'pre-install,pre-upgrade' }, { role: 'hook', phases: ['PreSync'] }],
    ['of Helm after one', { 'helm.sh/hook': 'post-install' }, { role: 'hook', phases: ['PostSync'] }],
    ['of Helm around a deletion', { 'helm.sh/hook': 'pre-delete,post-delete' }, { role: 'hook', phases: ['PreDelete', 'PostDelete'] }],
    ['of Helm that are tests never run', { 'helm.sh/hook': 'test' }, { role: 'hook', phases: [] }],
    ['of Helm that are definitions stay', { 'helm.sh/hook': 'crd-install' }, { role: 'resource', phases: [] }],
    ['of Argo CD before those of Helm', { 'argocd.argoproj.io/hook': 'Sync', 'helm.sh/hook': 'pre-install' }, { role: 'hook', phases: ['Sync'] }],
  ])('%s', (_name, annotations, wanted) => {
    expect(marksOf(annotations)).toMatchObject({ ...wanted, problems: [] });
    expect(isHook(objectOf(keyOf('batch/Job shop/migrate'), annotations))).toBe(wanted.role !== 'resource');
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ 'setpoint.dev/hook': 'PreSnyc' }, /setpoint\.dev\/hook is to be of PreSync.*, and has "PreSnyc"/],
    [{ 'setpoint.dev/hook': '' }, /setpoint\.dev\/hook is empty/],
    [{ 'helm.sh/hook': 'pre-instal' }, /helm\.sh\/hook .* has "pre-instal"/],
    [{ 'helm.sh/hook': 'toString' }, /helm\.sh\/hook .* has "toString"/],
    [{ 'argocd.argoproj.io/hook-delete-policy': 'Never' }, /hook-delete-policy .* has "Never"/],
    [{ 'helm.sh/hook-delete-policy': 'never' }, /hook-delete-policy .* has "never"/],
  ])('%j cannot be read, and says so', (annotations, problem) => {
    expect(marksOf(annotations).problems).toEqual([expect.stringMatching(problem)]);
  });

  test('delete policies of both vocabularies', () => {
    expect(marksOf({ 'setpoint.dev/hook-delete-policy': 'HookSucceeded,HookFailed' }).deletePolicies).toEqual(['HookSucceeded', 'HookFailed']);
    expect(marksOf({ 'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded' }).deletePolicies).toEqual(['BeforeHookCreation', 'HookSucceeded']);
  });
});

describe('options of one object', () => {
  test.each<[Record<string, string>, Record<string, string>]>([
    [{ 'argocd.argoproj.io/sync-options': 'Prune=false, Replace=true' }, { Prune: 'false', Replace: 'true' }],
    [{ 'setpoint.dev/sync-options': 'Force=true', 'argocd.argoproj.io/sync-options': 'Prune=false' }, { Force: 'true' }],
    [{ 'helm.sh/resource-policy': 'keep' }, { Prune: 'false', Delete: 'false' }],
    [{ 'setpoint.dev/adopt': 'true' }, { Adopt: 'true' }],
    [{ 'argocd.argoproj.io/sync-options': 'ClientSideApplyMigration=false' }, {}],
  ])('%j', (annotations, options) => {
    expect(marksOf(annotations)).toMatchObject({ options, problems: [] });
  });

  test.each(['Prune=flase', 'Prune=false,Prune=true', 'Delete'])('%s is a problem, not a guess', (options) => {
    expect(marksOf({ 'setpoint.dev/sync-options': options }).problems).toHaveLength(1);
  });
});
