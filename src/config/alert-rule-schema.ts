import { z } from 'zod';
import type { AlertRule } from '../model/index.ts';
import { alertMatch } from './alert-match-schema.ts';
import { choice, duration, mapping, name, named, some, text, truth } from './fields.ts';

/** 31 days. It is more than one timer of Node can hold: who waits for it, waits in parts. */
export const longestAlertTime = '744h';

const shape = {
  name: name(),
  match: alertMatch.prefault({}),
  for: duration('0s', longestAlertTime).prefault('5m'),
  severity: choice(['info', 'warning', 'critical']).prefault('warning'),
  groupBy: z.array(choice(['cluster', 'namespace', 'app']), { error: 'a list of cluster, namespace, app' }).prefault(['cluster', 'namespace', 'app']),
  groupWait: duration('0s', '24h').prefault('30s'),
  groupInterval: duration('1s', longestAlertTime).prefault('5m'),
  repeatInterval: duration('1s', longestAlertTime).prefault('24h'),
  sendResolved: truth().prefault(true),
  sendHealed: truth().prefault(false),
  destinations: some(text('the name of a destination'), 'a list of at least one destination, or no list for all of them').optional(),
};

export const alertRuleKeys = Object.keys(shape);

/** A rule as it is written: one that names no destinations is for all of them. */
export type WrittenRule = Omit<AlertRule, 'destinations'> & { readonly destinations: readonly string[] | undefined };

const rule = mapping(shape, 'a rule: a mapping with a name').transform(
  ({ for: forMs, groupWait, groupInterval, repeatInterval, destinations, ...rest }): WrittenRule => ({
    ...rest,
    forMs,
    groupWaitMs: groupWait,
    groupIntervalMs: groupInterval,
    repeatIntervalMs: repeatInterval,
    destinations,
  }),
);

export const alertRulesSchema = named(rule, 'rule');
