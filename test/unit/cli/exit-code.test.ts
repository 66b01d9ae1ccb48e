import { expect, test } from 'vitest';
import { exitCodeOfDiffs, toleratingDrift } from '../../../src/cli/exit-code.ts';
import type { Diff, Finding } from '../../../src/model/index.ts';
import { at, changed, missing, same } from '../../support/example-diffs.ts';

const invalid: Diff = { ...at, type: 'invalid', message: 'x' };
const terminating: Diff = { ...at, type: 'terminating', message: 'x' };
const forbidden: Diff = { ...at, type: 'unknown', code: 'Forbidden', message: 'x' };
const failed: Diff = { ...at, type: 'unknown', code: 'ClusterError', message: 'x' };
const unreadable: Finding = { severity: 'error', origin: 'b', message: 'x' };
const odd: Finding = { severity: 'warning', origin: 'b', message: 'x' };

test.each<[number, string, readonly Diff[], readonly Finding[]]>([
  [0, 'all in sync', [same(), same()], []],
  [0, 'all in sync, with a warning', [same()], [odd]],
  [1, 'a change', [same(), changed([])], []],
  [1, 'a change that a sync could not make', [changed([], { obstacle: { type: 'denied', message: 'x' } })], []],
  [1, 'a change that the server did not confirm', [changed([], { unconfirmed: 'x' })], []],
  [1, 'one missing', [missing()], []],
  [1, 'one missing that waits for its definition', [missing({ waitsFor: 'x' })], []],
  [1, 'one being deleted', [same(), terminating], []],
  [3, 'one refused', [same(), invalid], []],
  [3, 'one unknown beside a change: 1 would claim that all was compared', [changed([]), failed], []],
  [3, 'a file that cannot be read', [same()], [unreadable]],
  [4, 'one forbidden', [same(), forbidden], []],
  [4, 'one forbidden beside a change', [changed([]), forbidden], []],
  [3, 'one forbidden and one refused', [forbidden, invalid], []],
])('%i: %s', (code, _name, diffs, findings) => {
  expect(exitCodeOfDiffs(diffs, findings)).toBe(code);
});

test.each([
  [0, 0],
  [1, 0],
  [2, 2],
  [3, 3],
  [4, 4],
])('with drift tolerated %i becomes %i', (code, tolerated) => {
  expect(toleratingDrift(code)).toBe(tolerated);
});
