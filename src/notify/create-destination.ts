import type { Destination, DestinationConfig, DestinationType } from '../model/index.ts';
import { createAlertmanager } from './alertmanager.ts';
import { createCommitStatus } from './commit-status.ts';
import { setSystemTimer, type SetTimer } from './deadline.ts';
import type { DestinationDeps } from './destination-deps.ts';
import { createDiscord } from './discord.ts';
import { createEmail, type EmailDeps } from './email.ts';
import { createGenericWebhook } from './generic-webhook.ts';
import { paced } from './paced.ts';
import { createPagerDuty } from './pagerduty.ts';
import { createSlack } from './slack.ts';
import { createSlackWebhook } from './slack-webhook.ts';
import { createTeams } from './teams.ts';

export type CreateDestinationDeps = DestinationDeps & Omit<EmailDeps, keyof DestinationDeps> & { readonly setTimer?: SetTimer };

type Creators = { readonly [T in DestinationType]: (config: Extract<DestinationConfig, { readonly type: T }>, deps: CreateDestinationDeps) => Destination };

const creators: Creators = {
  slack: createSlack,
  'slack-webhook': createSlackWebhook,
  webhook: createGenericWebhook,
  alertmanager: createAlertmanager,
  pagerduty: createPagerDuty,
  teams: createTeams,
  discord: createDiscord,
  'commit-status': createCommitStatus,
  email: createEmail,
};

// Messages to one place. Slack takes about one a second for each channel; the others take more, and nobody reads more.
const perSecondOf: Readonly<Partial<Record<DestinationType, number>>> = { webhook: 10, alertmanager: 10 };
const usualPerSecond = 1;

export function createDestination(config: DestinationConfig, deps: CreateDestinationDeps): Destination {
  // The table has for each type the function that takes it, which the compiler cannot follow through a union.
  const create = creators[config.type] as (config: DestinationConfig, deps: CreateDestinationDeps) => Destination;
  const perSecond = config.rateLimit?.perSecond ?? perSecondOf[config.type] ?? usualPerSecond;
  return paced(create(config, deps), { perSecond, setTimer: deps.setTimer ?? setSystemTimer });
}
