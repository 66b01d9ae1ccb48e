import { createTeams } from '../../src/notify/teams.ts';
import type { SentRequest } from '../support/alert-sink.ts';
import { destinationContract } from './destination-contract.ts';

interface Card {
  readonly attachments: readonly { readonly content: { readonly version: string; readonly body: readonly { readonly type: string; readonly inlines: readonly { readonly type: string; readonly text: string }[] }[] } }[];
}

const cardsIn = ({ json }: SentRequest): Card['attachments'] => (json as Card).attachments;

destinationContract(
  'Microsoft Teams',
  async ({ url, deps, secret, file }) => createTeams({ type: 'teams', name: 'team', urlFile: await file(`${url}/workflows/${secret('workflow')}/triggers/manual/paths/invoke?api-version=1&sig=${secret('signature')}`) }, deps),
  {
    accepted: { status: 202 },
    keyOf: (request) => textsIn(request).at(-1),
    textsOf: textsIn,
    pings: [/\{\{(?:DATE|TIME)\(/i],
    maxBytes: 28 * 1024,
    faultsOf: (request) =>
      cardsIn(request).flatMap(({ content: { version, body } }) => [
        ...(version === '1.4' ? [] : [`version ${version}`]),
        // Runs in a RichTextBlock are the one place where Teams reads no markdown.
        ...body.filter(({ type, inlines }) => type !== 'RichTextBlock' || inlines.some((run) => run.type !== 'TextRun' || run.text === '')).map(({ type }) => `a ${type}`),
      ]),
  },
);

function textsIn(request: SentRequest): readonly string[] {
  return cardsIn(request).flatMap(({ content }) => content.body.flatMap(({ inlines }) => inlines.map(({ text }) => text)));
}
