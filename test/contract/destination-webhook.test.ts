import { createGenericWebhook } from '../../src/notify/generic-webhook.ts';
import { destinationContract } from './destination-contract.ts';

destinationContract(
  'of any kind, by CloudEvents',
  async ({ url, deps, secret, file }) =>
    createGenericWebhook(
      {
        type: 'webhook',
        name: 'bus',
        urlFile: await file(`${url}/hooks/${secret('path')}?token=${secret('query')}`),
        secretFiles: [await file(`whsec_${Buffer.from(secret('old key')).toString('base64')}`), await file(`whsec_${Buffer.from(secret('new key')).toString('base64')}`)],
      },
      deps,
    ),
  {
    accepted: { status: 202 },
    keyOf: ({ headers, json }) => [headers['idempotency-key'], headers['webhook-id'], (json as { id: string }).id].join(' '),
    // Programs read it, exactly as it is: what counts is that the text itself steers nothing.
    textsOf: ({ body }) => [body],
    pings: [],
    maxBytes: 20_000,
    faultsOf: ({ headers, json }) => {
      const event = json as Readonly<Record<string, unknown>>;
      const wanted = ['specversion', 'id', 'source', 'type', 'time'];
      return [
        ...wanted.filter((attribute) => typeof event[attribute] !== 'string' || event[attribute] === ''),
        ...(String(headers['webhook-signature']).split(' ').length === 2 ? [] : ['two signatures']),
        ...(headers['content-type'] === 'application/cloudevents+json; charset=utf-8' ? [] : ['the content type']),
      ];
    },
  },
);
