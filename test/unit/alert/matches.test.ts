import { describe, expect, test } from 'vitest';
import { matches, type Subject } from '../../../src/alert/index.ts';
import { matchesGlob } from '../../../src/alert/matches-glob.ts';
import { episodeSubject } from '../../../src/alert/matches.ts';
import { plainApplication, type AlertMatch, type Episode } from '../../../src/model/index.ts';
import { keyOf } from './alert-scene.ts';

const application = plainApplication({ id: 'prod/checkout', namespace: 'prod', name: 'checkout', labels: { team: 'payments', tier: '3' }, sources: [] });
const subject: Subject = { application, cause: 'live-changed', state: null, namespace: 'shop', kind: 'apps/Deployment', fields: ['spec.replicas', 'spec.template.spec.containers[name=app].image'] };
const state: Subject = { application, cause: null, state: 'Unknown', namespace: 'prod', kind: '', fields: [] };

test.each<[string, AlertMatch, Subject, boolean]>([
  ['nothing asked for', {}, subject, true],
  ['a cause of several', { cause: ['git-ahead', 'live-changed'] }, subject, true],
  ['another cause', { cause: ['both'] }, subject, false],
  ['a cause where there is none', { cause: ['both'] }, state, false],
  ['a state', { status: ['Contested', 'Unknown'] }, state, true],
  ['a state where there is none', { status: ['Unknown'] }, subject, false],
  ['a name', { applications: ['check*'] }, subject, true],
  ['a name with its namespace', { applications: ['prod/*'] }, subject, true],
  ['another name', { applications: ['check'] }, subject, false],
  ['the namespace of the resource', { namespaces: ['sho?'] }, subject, true],
  ['not the namespace of the Application', { namespaces: ['prod'] }, subject, false],
  ['the namespace of the Application where it is about all of it', { namespaces: ['prod'] }, state, true],
  ['a kind', { kinds: ['Deployment'] }, subject, true],
  ['a kind with its group', { kinds: ['apps/*'] }, subject, true],
  ['a kind of another group', { kinds: ['extensions/Deployment'] }, subject, false],
  ['part of a kind', { kinds: ['Deploy'] }, subject, false],
  ['a kind where there is no resource', { kinds: ['Deployment'] }, state, false],
  ['any kind where there is no resource', { kinds: ['*'] }, state, true],
  ['labels', { labels: { team: 'payments', tier: '3' } }, subject, true],
  ['one label that is another', { labels: { team: 'payments', tier: '1' } }, subject, false],
  ['a label that everything inherits', { labels: { constructor: 'payments' } }, subject, false],
  ['one of the fields', { fields: ['spec.template*.image'] }, subject, true],
  ['none of the fields', { fields: ['spec.template'] }, subject, false],
  ['everything given must hold', { cause: ['live-changed'], kinds: ['Service'] }, subject, false],
])('%s', (_name, match, one, expected) => {
  expect(matches(match, one)).toBe(expected);
});

test('what stands for all the rest matches no kind, no namespace and no field but `*`', () => {
  const rest: Episode = { id: 'e', key: '*', cause: 'live-changed', openedAt: 't', closedAt: null, fingerprint: 'f', fields: ['900 more resources'] };
  const found = (match: AlertMatch): boolean => matches(match, episodeSubject(application, rest));
  expect([found({}), found({ kinds: ['*'], namespaces: ['*'], fields: ['*'] })]).toEqual([true, true]);
  expect([found({ kinds: ['Deployment'] }), found({ namespaces: ['shop'] }), found({ fields: ['900*'] })]).toEqual([false, false, false]);
  expect(matches({ kinds: ['Deployment'], namespaces: ['shop'] }, episodeSubject(application, { ...rest, key: keyOf('web') }))).toBe(true);
});

describe('a pattern', () => {
  test.each<[string, string, boolean]>([
    ['', '', true],
    ['*', '', true],
    ['a', 'b', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a*', 'a', true],
    ['*a', 'ba', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['*b?*', 'ab', false],
    ['**', 'anything', true],
    ['a.c', 'abc', false],
    ['*ab*ab', 'ab', false],
  ])('%j and %j: %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  test('of many stars is as quick as any', () => {
    expect(matchesGlob(`${'a*'.repeat(200)}b`, 'a'.repeat(5000))).toBe(false);
  });
});
