import { describe, expect, test } from 'vitest';
import { classify, waitOf } from '../../../src/notify/classify.ts';
import type { HttpResult } from '../../../src/notify/http.ts';

const now = (): Date => new Date('2026-11-16T10:46:12Z');
const answer = (status: number, headers: Readonly<Record<string, string>> = {}, text = ''): HttpResult => ({ type: 'answer', host: 'hooks.example.com', status, headers, text });

test.each([
  [200, 'sent'],
  [202, 'sent'],
  [204, 'sent'],
  [301, 'refused'],
  [304, 'refused'],
  [308, 'refused'],
  [400, 'refused'],
  [401, 'refused'],
  [404, 'refused'],
  [408, 'retry'],
  [409, 'refused'],
  [410, 'gone'],
  [425, 'retry'],
  [429, 'retry'],
  [451, 'refused'],
  [500, 'retry'],
  [503, 'retry'],
  [599, 'retry'],
])('%i is %s', (status, type) => {
  expect(classify(answer(status), { secrets: [], now }).type).toBe(type);
});

test('no answer is worth another try, and what was not sent at all is not', () => {
  expect(classify({ type: 'failed', why: 'hooks.example.com cannot be reached' }, { secrets: [], now })).toEqual({ type: 'retry', why: 'hooks.example.com cannot be reached' });
  expect(classify({ type: 'refused', why: 'nothing is sent to 10.0.0.1' }, { secrets: [], now })).toEqual({ type: 'refused', why: 'nothing is sent to 10.0.0.1' });
});

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['30', 30_000],
    [' 1.5 ', 1_500],
    ['Mon, 16 Nov 2026 10:47:12 GMT', 60_000],
    ['Mon, 16 Nov 2026 10:00:00 GMT', 0],
    ['21601', 6 * 3_600_000],
    ['Fri, 16 Nov 2029 10:47:12 GMT', 6 * 3_600_000],
  ])('%s is so many milliseconds: %i', (said, afterMs) => {
    expect(waitOf(said, now)).toEqual({ afterMs });
  });

  test.each([undefined, '', 'soon', 'NaN', 'Infinity'])('%s says nothing', (said) => {
    expect(waitOf(said, now)).toEqual({});
  });

  test('is part of the outcome where there is another try, and of no other', () => {
    const headers = { 'retry-after': '30' };
    expect(classify(answer(503, headers), { secrets: [], now })).toHaveProperty('afterMs', 30_000);
    expect(classify(answer(404, headers), { secrets: [], now })).not.toHaveProperty('afterMs');
  });
});

describe('why', () => {
  test.each([
    ['quotes a sentence', answer(400, {}, 'invalid_payload'), 'hooks.example.com answered 400 "invalid_payload"'],
    ['quotes no page', answer(502, { 'content-type': 'text/html' }, 'Bad Gateway'), 'hooks.example.com answered 502 with a page of HTML'],
    ['knows a page also without its type', answer(502, {}, '<html>'), 'hooks.example.com answered 502 with a page of HTML'],
    ['stays on one line', answer(400, {}, 'no\n\u202eway'), String.raw`hooks.example.com answered 400 "no\n\u{202e}way"`],
    ['is bounded', answer(400, {}, 'x'.repeat(1000)), `hooks.example.com answered 400 "${'x'.repeat(80)}"…`],
    ['names the host of a redirect, and no more of it', answer(302, { location: 'https://login.example.com/a?token=b' }), 'hooks.example.com answered 302, a redirect to login.example.com: redirects are not followed'],
    ['has no secrets', answer(403, {}, 'bad token s3cr3t-t0ken'), 'hooks.example.com answered 403 "bad token ***"'],
  ])('%s', (_what, result, why) => {
    expect(classify(result, { secrets: ['s3cr3t-t0ken'], now })).toHaveProperty('why', why);
  });
});
