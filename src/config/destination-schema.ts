import { z } from 'zod';
import type { DestinationConfig } from '../model/index.ts';
import { destinationShapes } from './destination-shapes.ts';
import { mapping, named } from './fields.ts';

const wanted = 'a destination: a mapping with name and type';
const usualPorts = { starttls: 587, tls: 465, none: 25 } as const;

const { webhook, email, ...plain } = destinationShapes;
const types = Object.keys(destinationShapes).join(', ');

const destination = z
  .discriminatedUnion(
    'type',
    [
      mapping(plain.slack, wanted),
      mapping(plain['slack-webhook'], wanted),
      mapping(webhook, wanted).superRefine(({ url, urlFile, secretFile, secretFiles }, context) => {
        if ((url === undefined) === (urlFile === undefined)) context.addIssue(unfit('either url or urlFile', url === undefined ? 'neither' : 'both'));
        if (secretFile !== undefined && secretFiles !== undefined) context.addIssue(unfit('either secretFile or secretFiles', 'both'));
      }),
      mapping(plain.alertmanager, wanted),
      mapping(plain.pagerduty, wanted),
      mapping(plain.teams, wanted),
      mapping(plain.discord, wanted),
      mapping(plain['commit-status'], wanted),
      mapping(email, wanted).superRefine(({ user, passwordFile, tls }, context) => {
        if ((user === undefined) !== (passwordFile === undefined)) context.addIssue(unfit('user and passwordFile, or neither', user === undefined ? 'passwordFile alone' : 'user alone'));
        if (passwordFile !== undefined && tls === 'none') context.addIssue({ ...unfit('starttls or tls where there is a password', 'none'), path: ['tls'] });
      }),
    ],
    { error: ({ code }) => (code === 'invalid_union' ? `one of ${types}` : wanted) },
  )
  .transform((said): DestinationConfig => {
    if (said.type === 'email') return { ...said, port: said.port ?? usualPorts[said.tls] };
    if (said.type !== 'webhook') return said;
    const { secretFile, secretFiles = secretFile === undefined ? undefined : [secretFile], ...rest } = said;
    return { ...rest, ...(secretFiles !== undefined && { secretFiles }) };
  });

export const destinationsSchema = named(destination, 'destination');

function unfit(message: string, got: string): { readonly code: 'custom'; readonly message: string; readonly params: { readonly got: string } } {
  return { code: 'custom', message, params: { got } };
}
