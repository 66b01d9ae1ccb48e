import { createSlack } from '../../src/notify/slack.ts';
import { createSlackWebhook } from '../../src/notify/slack-webhook.ts';
import { slackFaults, slackTexts } from '../support/slack-payload.ts';
import { destinationContract } from './destination-contract.ts';

const pings = [/<[!@#]/, /<https?:/];

destinationContract(
  'Slack with a bot token',
  async ({ url, deps, secret, file }) => createSlack({ type: 'slack', name: 'team', tokenFile: await file(`xoxb-${secret('token')}`), channel: '#alerts', apiUrl: `${url}/api` }, deps),
  {
    accepted: { status: 200, body: '{"ok":true,"channel":"C0123456789","ts":"1794826000.000100"}' },
    keyOf: ({ json }) => (json as { metadata?: { event_payload?: { id?: string } } }).metadata?.event_payload?.id,
    textsOf: slackTexts,
    pings,
    maxBytes: 40_000,
    faultsOf: slackFaults,
    readsAnswers: true,
  },
);

destinationContract(
  'Slack by an incoming webhook',
  async ({ url, deps, secret, file }) => createSlackWebhook({ type: 'slack-webhook', name: 'team', urlFile: await file(`${url}/services/T0123/B0123/${secret('webhook')}?k=${secret('query')}`) }, deps),
  {
    accepted: { status: 200, body: 'ok' },
    keyOf: ({ headers }) => headers['idempotency-key'] as string | undefined,
    textsOf: slackTexts,
    pings,
    maxBytes: 40_000,
    faultsOf: slackFaults,
  },
);
