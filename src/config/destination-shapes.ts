import { z } from 'zod';
import type { DestinationType } from '../model/index.ts';
import { choice, count, mapping, name, pattern, plainUrl, secretFile, some, text } from './fields.ts';

const perSecond = 'a number from 0.01 to 100';
const rateLimit = { perSecond: z.number({ error: perSecond }).min(0.01, { error: perSecond }).max(100, { error: perSecond }) };
const templates = { title: text('a template').exactOptional(), text: text('a template').exactOptional() };
const basic = { type: z.literal('basic'), user: text('a user'), passwordFile: secretFile() };
const bearer = { type: z.literal('bearer'), tokenFile: secretFile() };
const address = pattern(/^[^\p{Cc}@]*[^\s\p{Cc}@<>]@[^\s\p{Cc}@<>]+>?$/u, 'an address, such as drift@example.com');

const common = {
  name: name(),
  rateLimit: mapping(rateLimit, 'a mapping with perSecond').exactOptional(),
  templates: mapping(templates, 'a mapping with title, text or both').exactOptional(),
};

/** What each type of destination may say. */
export const destinationShapes = {
  slack: { ...common, type: z.literal('slack'), tokenFile: secretFile(), channel: text('a channel, such as C0123456789 or "#drift" in quotes'), apiUrl: plainUrl().exactOptional() },
  'slack-webhook': { ...common, type: z.literal('slack-webhook'), urlFile: secretFile() },
  webhook: {
    ...common,
    type: z.literal('webhook'),
    url: plainUrl().exactOptional(),
    urlFile: secretFile().exactOptional(),
    secretFile: secretFile().exactOptional(),
    secretFiles: some(secretFile(), 'a list of one or two files').max(2, { error: 'one or two files' }).exactOptional(),
    source: pattern(/^\S+$/, 'a URI').exactOptional(),
  },
  alertmanager: {
    ...common,
    type: z.literal('alertmanager'),
    url: plainUrl(),
    auth: z.discriminatedUnion('type', [mapping(basic, ''), mapping(bearer, '')], { error: ({ code }) => (code === 'invalid_union' ? 'one of basic, bearer' : 'a mapping with the type basic or bearer') }).exactOptional(),
  },
  pagerduty: { ...common, type: z.literal('pagerduty'), routingKeyFile: secretFile(), apiUrl: plainUrl().exactOptional() },
  teams: { ...common, type: z.literal('teams'), urlFile: secretFile() },
  discord: { ...common, type: z.literal('discord'), urlFile: secretFile() },
  'commit-status': {
    ...common,
    type: z.literal('commit-status'),
    provider: choice(['github', 'gitlab', 'gitea']),
    apiUrl: plainUrl(),
    tokenFile: secretFile(),
    context: text('a name for the status').exactOptional(),
  },
  email: {
    ...common,
    type: z.literal('email'),
    host: pattern(/^[^\s/@]+$/, 'the host of a mail server'),
    port: count(1, 65_535).exactOptional(),
    tls: choice(['starttls', 'tls', 'none']).prefault('starttls'),
    user: text('a user').exactOptional(),
    passwordFile: secretFile().exactOptional(),
    from: address,
    to: some(address, 'a list of at least one address'),
  },
} satisfies Record<DestinationType, z.core.$ZodLooseShape>;

/** Of what a destination holds in its turn. */
export const destinationParts = { rateLimit: Object.keys(rateLimit), templates: Object.keys(templates), auth: Object.keys({ ...basic, ...bearer }) };
