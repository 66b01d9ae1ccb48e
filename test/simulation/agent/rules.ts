import type { AlertRule } from '../../../src/model/index.ts';
import type { Dice } from '../world/dice.ts';

const everyRule = { severity: 'warning', groupWaitMs: 1_000, groupIntervalMs: 5_000, repeatIntervalMs: 0, sendResolved: true, sendHealed: false } as const;

/** What people want to hear of, soon enough for a rest to see it. */
export function randomRules(dice: Dice): readonly AlertRule[] {
  const groupBy: AlertRule['groupBy'] = dice.chance(0.5) ? ['cluster'] : ['cluster', 'namespace', 'app'];
  return [
    { ...everyRule, groupBy, name: 'drift', match: { cause: ['live-changed', 'both'] }, forMs: 4_000, sendHealed: dice.chance(0.3), destinations: ['chat', 'pager'] },
    { ...everyRule, groupBy, name: 'blind', match: { status: ['Unknown'] }, forMs: 8_000, destinations: ['pager'] },
    { ...everyRule, groupBy, name: 'stuck', match: { cause: ['git-ahead'] }, forMs: 8_000, destinations: ['chat'] },
  ];
}
