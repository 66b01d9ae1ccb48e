import { expect, test } from 'vitest';
import { shownVerdict, type Verdict } from '../../../src/model/index.ts';

const now = new Date('2026-01-01T01:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
const synced: Verdict = { status: 'Synced' };

test.each<[string, Verdict | null, Date | undefined, string]>([
  ['what was just vouched for stands', synced, ago(1), 'Synced'],
  ['also at the end of the third interval', synced, ago(180), 'Synced'],
  ['and not a second later', synced, ago(181), 'Unknown NotObserved'],
  ['what nobody ever vouched for is worth nothing', synced, undefined, 'Unknown NotObserved'],
  ['what was never looked at is unknown', null, ago(1), 'Unknown NotObserved'],
  ['drift decays too', { status: 'OutOfSync', cause: 'both' }, ago(3600), 'Unknown NotObserved'],
  ['a reason stays the reason', { status: 'Unknown', code: 'Forbidden', message: 'no' }, ago(1), 'Unknown Forbidden'],
  ['a clock that is behind the agent’s is no reason to doubt', synced, ago(-3600), 'Synced'],
])('%s', (_name, recorded, aliveAt, expected) => {
  const shown = shownVerdict(recorded, { aliveAt, intervalMs: 60_000, now });
  expect(`${shown.status}${'code' in shown ? ` ${shown.code}` : ''}`).toBe(expected);
});

test('what it was before is told', () => {
  expect(shownVerdict(synced, { aliveAt: ago(600), intervalMs: 60_000, now })).toMatchObject({ message: expect.stringMatching(/since 2026-01-01T00:50:00.000Z; before that it was Synced/) as string });
});
