import { expect, test } from 'vitest';
import { rollbackTarget, whyUndone } from '../../../src/cli/rollback-target.ts';
import type { HistoryEntry } from '../../../src/model/index.ts';
import { now } from './status-items.ts';

const commit = (letter: string): string => letter.repeat(40);
const entry = (id: number, revision: string | null, failed = 0, state?: HistoryEntry['state']): HistoryEntry => ({ ...(state !== undefined && { state }), id, at: '', revision, cause: 'git-ahead', applied: 1, held: 0, failed });

test.each<[string, readonly HistoryEntry[], string | undefined, number]>([
  ['the one before', [entry(2, commit('b')), entry(1, commit('a'))], undefined, 1],
  ['not the same commit again', [entry(3, commit('b')), entry(2, commit('b')), entry(1, commit('a'))], undefined, 1],
  ['not one that failed', [entry(3, commit('c')), entry(2, commit('b'), 1), entry(1, commit('a'))], undefined, 1],
  ['what was there before a failure', [entry(2, commit('b'), 1), entry(1, commit('a'))], undefined, 1],
  ['not one without a commit', [entry(3, commit('c')), entry(2, null), entry(1, commit('a'))], undefined, 1],
  ['the one that is named', [entry(3, commit('c')), entry(2, commit('b')), entry(1, commit('a'))], '1', 1],
  ['not one that was ended before it was done', [entry(3, commit('c')), entry(2, commit('b'), 0, 'terminated'), entry(1, commit('a'), 0, 'succeeded')], undefined, 1],
  ['one that succeeded in the end, whatever failed on the way', [entry(3, commit('c')), entry(2, commit('b'), 1, 'succeeded'), entry(1, commit('a'))], undefined, 2],
])('%s', (_name, history, id, target) => {
  expect(rollbackTarget({ history }, id).id).toBe(target);
});

test.each<[string, readonly HistoryEntry[], string | undefined, string]>([
  ['nothing on record', [], undefined, 'there is no earlier sync to go back to: none that succeeded is on record'],
  ['only the present', [entry(1, commit('a'))], undefined, 'there is no earlier sync to go back to: on record are 1 (aaaaaaa)'],
  ['another number', [entry(1, commit('a'))], '7', 'there is no sync 7 on record: on record are 1 (aaaaaaa)'],
  ['one that failed', [entry(2, commit('b')), entry(1, commit('a'), 1)], '1', 'sync 1 failed, so what it left is nothing to go back to: on record are 2 (bbbbbbb); setpoint sync --revision takes any commit'],
  ['one that was ended', [entry(1, commit('a'), 0, 'terminated')], '1', 'sync 1 was ended before it was done, so what it left is nothing to go back to: none that succeeded is on record'],
  ['one without a commit', [entry(1, null)], '1', 'sync 1 has no whole commit id on record'],
])('%s is a mistake', (_name, history, id, message) => {
  expect(() => rollbackTarget({ history }, id)).toThrow(message);
});

const until = (time: string) => ({ until: time, reason: undefined });

test.each([
  [true, 'applies new commits by itself', { deploy: 'automatic', pause: undefined }],
  [true, 'is no longer paused', { deploy: 'automatic', pause: until('2026-03-01T11:59:00Z') }],
  [false, 'is paused', { deploy: 'automatic', pause: until('2026-03-01T13:00:00Z') }],
  [false, 'is synced by hand', { deploy: 'manual', pause: undefined }],
  [false, 'does not say', { deploy: undefined, pause: undefined }],
] as const)('undone: %s, where it %s', (isSo, _name, parts) => {
  expect(whyUndone({ id: 'shop/web', ...parts }, now) !== undefined).toBe(isSo);
});
