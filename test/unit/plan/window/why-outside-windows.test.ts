import { expect, test } from 'vitest';
import type { SyncWindow } from '../../../../src/model/index.ts';
import { whyOutsideWindows } from '../../../../src/plan/window/why-outside-windows.ts';

const now = new Date('2026-03-02T12:00:00Z');
const open = { schedule: '0 12 * * *', durationMs: 3_600_000, timeZone: 'UTC' };
const shut = { ...open, schedule: '0 3 * * *' };

test.each<[string, readonly SyncWindow[], boolean, RegExp]>([
  ['without windows, always', [], false, /^$/],
  ['in an allowed time', [{ kind: 'allow', ...open }], false, /^$/],
  ['outside all allowed times, not', [{ kind: 'allow', ...shut }], false, /no sync window is open: "0 3 \* \* \*" UTC for 60 min/],
  ['in one of several allowed times', [{ kind: 'allow', ...shut }, { kind: 'allow', ...open }], false, /^$/],
  ['in a denied time, not', [{ kind: 'deny', ...open }], false, /a sync window denies it/],
  ['in a denied time within an allowed one, not', [{ kind: 'allow', ...open }, { kind: 'deny', ...open }], false, /denies/],
  ['outside a denied time', [{ kind: 'deny', ...shut }], false, /^$/],
  ['by hand in a denied time, not', [{ kind: 'deny', ...open }], true, /denies/],
  ['by hand in a denied time that lets hands through', [{ kind: 'deny', ...open, manualSync: true }], true, /^$/],
  ['by itself it does not let through', [{ kind: 'deny', ...open, manualSync: true }], false, /denies/],
  ['by hand outside an allowed time that lets hands through', [{ kind: 'allow', ...shut, manualSync: true }], true, /^$/],
  ['by hand outside two of which one does not', [{ kind: 'allow', ...shut, manualSync: true }, { kind: 'allow', ...shut }], true, /no sync window is open/],
  ['while one cannot be read, not', [{ kind: 'allow', ...open }, { kind: 'deny', ...open, timeZone: 'Mars/Olympus' }], false, /cannot be read: .* Mars\/Olympus/],
])('a sync may be done %s', (_name, windows, isByHand, wanted) => {
  expect(whyOutsideWindows({ windows, isByHand, now }) ?? '').toMatch(wanted);
});
