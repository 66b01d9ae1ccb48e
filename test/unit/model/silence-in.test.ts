import { describe, expect, test } from 'vitest';
import { muteIn, replayIn, replayText, silenceIn, type Json, type JsonObject } from '../../../src/model/index.ts';

const times = { from: '2026-03-01T12:00:00Z', until: '2026-03-01T14:00:00+01:00' };
const stored: JsonObject = { match: { cause: ['live-changed'], labels: { tier: '3' }, rules: ['drift'] }, ...times, author: 'ann', reason: 'load test' };

describe('a silence', () => {
  test('is read with its times in UTC', () => {
    expect(silenceIn('sil-1', stored)).toEqual({ id: 'sil-1', match: stored['match'], from: '2026-03-01T12:00:00.000Z', until: '2026-03-01T13:00:00.000Z', author: 'ann', reason: 'load test' });
  });

  test.each<[string, JsonObject]>([
    ['all lists', { cause: ['both'], status: ['Unknown'], applications: ['a'], namespaces: ['b'], kinds: ['apps/*'], fields: ['spec.*'], rules: ['r'] }],
    ['nothing, which is everything', {}],
    ['a label that is empty', { labels: { tier: '' } }],
  ])('with %s in its match is one', (_name, match) => {
    expect(silenceIn('sil-1', { ...stored, match })?.match).toEqual(match);
  });

  test.each<[string, string, Json | undefined]>([
    ['nothing', 'a', undefined],
    ['null', 'a', null],
    ['a list', 'a', []],
    ['a text', 'a', 'x'],
    ['no match', 'a', { ...times }],
    ['a match that is a list', 'a', { ...stored, match: [] }],
    ['a key that is not known, which would widen it', 'a', { ...stored, match: { app: ['web'] } }],
    ['a key of every object', 'a', { ...stored, match: { constructor: ['web'] } }],
    ['an empty list', 'a', { ...stored, match: { kinds: [] } }],
    ['an empty word', 'a', { ...stored, match: { kinds: [''] } }],
    ['a number', 'a', { ...stored, match: { kinds: [1] } }],
    ['a text in place of a list', 'a', { ...stored, match: { kinds: 'Pod' } }],
    ['a cause that there is not', 'a', { ...stored, match: { cause: ['drift'] } }],
    ['a cause of every object', 'a', { ...stored, match: { cause: ['toString'] } }],
    ['a state that there is not', 'a', { ...stored, match: { status: ['unknown'] } }],
    ['a label that is a number', 'a', { ...stored, match: { labels: { tier: 3 } } }],
    ['far too many words', 'a', { ...stored, match: { kinds: Array.from({ length: 51 }, () => 'Pod') } }],
    ['far too long a word', 'a', { ...stored, match: { kinds: ['x'.repeat(513)] } }],
    ['no end', 'a', { ...stored, until: null }],
    ['an end without a zone', 'a', { ...stored, until: '2026-03-01T12:00:00' }],
    ['an end that no calendar has', 'a', { ...stored, until: '2026-13-01T12:00:00Z' }],
    ['no beginning', 'a', { match: {}, until: times.until }],
    ['a reason that is no text', 'a', { ...stored, reason: {} }],
    ['an empty id', '', stored],
    ['an id that leads elsewhere', '../x', stored],
    ['an id that is too long', 'x'.repeat(64), stored],
  ])('with %s is none', (_name, id, value) => {
    expect(silenceIn(id, value)).toBeUndefined();
  });
});

describe('a mute', () => {
  test('needs an end only, and is cut where it is too long', () => {
    expect(muteIn({ until: times.until })).toEqual({ until: '2026-03-01T13:00:00.000Z', reason: '', author: '' });
    expect(muteIn({ until: times.until, reason: 'r'.repeat(1000), author: 'a'.repeat(1000) })).toMatchObject({ reason: 'r'.repeat(500), author: 'a'.repeat(253) });
  });

  test.each<[Json | undefined]>([[undefined], [null], ['true'], [[]], [{}], [{ until: 'soon' }], [{ until: 1 }], [{ until: times.until, author: 7 }]])('%j is none', (value) => {
    expect(muteIn(value)).toBeUndefined();
  });
});

describe('a request to send again', () => {
  test.each<[string, readonly string[]]>([
    ['evt_1', ['evt_1']],
    ['evt_1@2026-03-01T12:00:00.000Z', ['evt_1']],
    ['evt_1@a,evt_2@b', ['evt_1', 'evt_2']],
    ['evt_1@a,evt_1@b', ['evt_1']],
  ])('%s is about %j, and the whole text tells it from others', (text, notifications) => {
    expect(replayIn(text)).toEqual({ id: text, notifications });
  });

  test.each([[''], [','], ['evt_1,'], ['@a'], ['evt 1'], ['evt_1@a@b'], ['evt/1'], [Array.from({ length: 51 }, (_none, at) => `e${at}`).join(',')]])('%j is none', (text) => {
    expect(replayIn(text)).toBeUndefined();
  });

  test('keeps what was asked for before and is open, each once', () => {
    const isOpen = ({ notification }: { readonly notification: string }): boolean => notification !== 'done';
    expect(replayText([{ notification: 'a', at: '2' }], { isOpen })).toBe('a@2');
    expect(replayText([{ notification: 'a', at: '2' }], { before: 'a@1,done@1,b@1,odd one', isOpen })).toBe('b@1,a@2');
  });

  test('is never too long to be read', () => {
    const before = Array.from({ length: 50 }, (_none, at) => `e${at}@1`).join(',');
    const read = replayIn(replayText([{ notification: 'new', at: '2' }], { before, isOpen: () => true }));
    expect(read?.notifications).toHaveLength(50);
    expect(read?.notifications.at(-1)).toBe('new');
  });
});
