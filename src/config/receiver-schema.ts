import { z } from 'zod';
import { providerNames, type ReceiverConfig } from './agent-config.ts';
import { choice, mapping, path, pattern, text } from './fields.ts';

const receiverShape = {
  id: pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, '1 to 63 letters, digits, dots, dashes and underscores, a letter or digit first'),
  provider: choice(providerNames),
  secretFile: path().optional(),
  secretFiles: z.array(path(), { error: 'a list of one or two files' }).min(1, { error: 'one or two files' }).max(2, { error: 'one or two files' }).optional(),
  user: text().optional(),
  header: text().optional(),
  repository: text().optional(),
  reference: text().optional(),
};

export const receiverKeys = Object.keys(receiverShape);

/** What only the server can judge (which provider takes what, whether a secret is one) it judges when it starts. */
const receiver = mapping(receiverShape, 'a receiver: a mapping with id, provider and secretFile')
  .transform(({ secretFile, secretFiles, ...rest }, context): ReceiverConfig => {
    if ((secretFile === undefined) === (secretFiles === undefined)) {
      context.issues.push({ code: 'custom', message: 'either secretFile or secretFiles', input: rest, params: { got: secretFile === undefined ? 'neither' : 'both' } });
    }
    const { id, provider, user, header, repository, reference } = rest;
    return { id, provider, secretFiles: secretFiles ?? [secretFile ?? ''], user, header, repository, reference };
  });

export const receiversSchema = z.array(receiver, { error: 'a list of receivers' }).superRefine((receivers, context) => {
  for (const [index, { id }] of receivers.entries()) {
    if (receivers.findIndex((other) => other.id === id) !== index) {
      context.addIssue({ code: 'custom', message: 'an id that no other receiver has', path: [index, 'id'] });
    }
  }
});
