import { z } from 'zod';
import { alertRulesSchema } from './alert-rule-schema.ts';
import { mapping, parsed } from './fields.ts';
import { muteWindowsSchema } from './mute-window-schema.ts';
import { parsePrivatePlace } from './private-place.ts';

const shape = {
  rules: alertRulesSchema.prefault([]),
  muteWindows: muteWindowsSchema.prefault([]),
  allowPrivate: z.array(parsed('a host, an address or a range such as 10.1.0.0/16', parsePrivatePlace), { error: 'a list of hosts and addresses' }).prefault([]),
};

export const alertsKeys = Object.keys(shape);

export const alertsSchema = mapping(shape, `a mapping of some of ${alertsKeys.join(', ')}`);
