import { z } from 'zod';
import type { AlertMatch } from '../model/index.ts';
import { choice, mapping, pattern, some, text } from './fields.ts';

export const causeNames = ['live-changed', 'git-ahead', 'both'] as const;
export const stateNames = ['Unknown', 'Contested', 'SyncFailed', 'SyncSucceeded', 'Degraded'] as const;

const labelValue = pattern(/^(?:[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)?$/, 'the value of a label as a text: in quotes where it looks like a number, true or false');

const shape = {
  cause: some(choice(causeNames), 'a list of at least one cause').exactOptional(),
  status: some(choice(stateNames), 'a list of at least one status').exactOptional(),
  applications: some(pattern(/^[\w.*?/-]{1,320}$/, 'the name of an application, with * and ? for what may vary'), 'a list of at least one application').exactOptional(),
  namespaces: some(pattern(/^[a-z0-9*?-]{1,63}$/, 'the name of a namespace, with * and ? for what may vary'), 'a list of at least one namespace').exactOptional(),
  kinds: some(pattern(/^(?:[a-z0-9.*?-]*\/)?[A-Za-z0-9*?]+$/, 'a kind, such as Deployment or apps/Deployment, with * for what may vary'), 'a list of at least one kind').exactOptional(),
  labels: z
    .record(z.string(), labelValue, { error: 'a mapping of at least one label' })
    .refine((labels) => Object.keys(labels).length > 0, { error: 'a mapping of at least one label', params: { got: 'an empty one' } })
    .exactOptional(),
  fields: some(text('the path of a field, such as spec.replicas, with * for what may vary'), 'a list of at least one field').exactOptional(),
};

export const alertMatchKeys = Object.keys(shape);

/** An application in a state has no fields that differ: such a match would never hold. */
export const alertMatch = mapping(shape, `a mapping of some of ${alertMatchKeys.join(', ')}`).refine(({ status, fields }) => status === undefined || fields === undefined, {
  error: 'either status or fields',
  params: { got: 'both' },
}) satisfies z.ZodType<AlertMatch>;
