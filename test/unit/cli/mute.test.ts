import { describe, expect, test } from 'vitest';
import { matchFrom, matchText } from '../../../src/cli/mute-matchers.ts';
import { muteFrom, type MuteFlags } from '../../../src/cli/mute.ts';
import type { Silence } from '../../../src/model/index.ts';

const now = new Date('2026-03-01T12:00:00Z');

describe('matchers', () => {
  test.each<[readonly string[], Silence['match'], string]>([
    [['cause=live-changed'], { cause: ['live-changed'] }, 'cause=live-changed'],
    [['kind=Pod', 'namespace=shop', 'kind=apps/*'], { kinds: ['Pod', 'apps/*'], namespaces: ['shop'] }, 'namespace=shop kind=Pod kind=apps/*'],
    [['label.tier=3', 'label.app.kubernetes.io/part-of=a=b'], { labels: { tier: '3', 'app.kubernetes.io/part-of': 'a=b' } }, 'label.tier=3 label.app.kubernetes.io/part-of=a=b'],
    [['label.canary='], { labels: { canary: '' } }, 'label.canary='],
    [['app=web-*', 'rule=drift', 'field=spec.replicas', 'status=Unknown'], { applications: ['web-*'], rules: ['drift'], fields: ['spec.replicas'], status: ['Unknown'] }, 'status=Unknown app=web-* field=spec.replicas rule=drift'],
  ])('%j are %j', (matchers, match, text) => {
    expect(matchFrom(matchers)).toEqual(match);
    expect(matchText(match)).toBe(text);
  });

  test.each<[readonly string[], string]>([
    [[], 'what is to be muted?'],
    [[''], 'got nothing'],
    [['web'], '--matcher wants cause=, status=, app=,'],
    [['apps=web'], 'or label.NAME=, got apps=web'],
    [['toString=x'], 'got toString=x'],
    [['label.=x'], 'got label.=x'],
    [['kind='], '--matcher kind= wants a value, got nothing'],
    [['cause=drift'], '--matcher cause= wants live-changed, git-ahead or both, got drift'],
    [['status=unknown'], 'wants Unknown, Contested'],
    [[`app=${'x'.repeat(600)}`], '--matcher app= wants a shorter text'],
    [['label.a=1', 'label.a=2'], '--matcher label.a= wants one value'],
  ])('%j are refused', (matchers, message) => {
    expect(() => matchFrom(matchers)).toThrow(message);
  });

  test('a match of nothing is everything', () => {
    expect(matchText({})).toBe('everything');
  });
});

describe('how long', () => {
  test.each<[Pick<MuteFlags, 'until' | 'for'>, string]>([
    [{ for: '1h' }, '2026-03-01T13:00:00.000Z'],
    [{ for: '744h' }, '2026-04-01T12:00:00.000Z'],
    [{ until: '2026-03-01T14:00+01:00' }, '2026-03-01T13:00:00.000Z'],
  ])('%j is until %s', (flags, until) => {
    expect(muteFrom({ ...flags, reason: 'x' }, now)).toEqual({ until, reason: 'x' });
  });

  test.each<[Pick<MuteFlags, 'until' | 'for' | 'reason'>, string]>([
    [{ for: '1h' }, '--reason is wanted'],
    [{ for: '1h', reason: ' ' }, '--reason is wanted'],
    [{ reason: 'x' }, 'how long? Give --for'],
    [{ for: '0s', reason: 'x' }, '--for wants more than nothing, got 0s'],
    [{ for: '745h', reason: 'x' }, 'a mute lasts 744h (31 days) at most, got --for 745h'],
    [{ for: '99999999999h', reason: 'x' }, 'at most'],
    [{ until: '2036-01-01T00:00:00Z', reason: 'x' }, 'at most, got --until'],
    [{ until: '2026-03-01T11:00:00Z', reason: 'x' }, '--until wants a time to come'],
    [{ for: 'long', reason: 'x' }, 'a duration such as'],
  ])('%j is refused', (flags, message) => {
    expect(() => muteFrom(flags, now)).toThrow(message);
  });
});
