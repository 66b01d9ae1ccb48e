import { isSecretKind, parseResourceKey, type AlertedField, type AlertedResource, type Episode, type FieldChange, type ResourceStatus } from '../model/index.ts';

const listedFields = 10;

/** A resource as a message shows it: as the last look found it, else as the episode remembers it. */
export function describeResource(episode: Episode & { readonly key: ResourceStatus['key'] }, resources: readonly ResourceStatus[]): AlertedResource {
  const { key, cause, openedAt, closedAt, correctedAt, by } = episode;
  const identity = parseResourceKey(key);
  const seen = closedAt === null ? resources.find((resource) => resource.key === key && resource.cause === cause) : undefined;
  // Values of Secrets are masked already. Not even the masks are sent.
  const isSecret = isSecretKind(identity);
  const author = by ?? seen?.by;
  return {
    ...identity,
    change: seen?.type ?? 'changed',
    cause,
    since: openedAt,
    ...(closedAt === null ? {} : { endedAt: closedAt }),
    ...(correctedAt === undefined ? {} : { correctedAt }),
    ...(author === undefined ? {} : { by: author }),
    fields: fieldsOf(episode, seen, isSecret ? 'without-values' : 'with-values'),
    ...(seen?.patch === undefined || isSecret ? {} : { patch: seen.patch }),
  };
}

function fieldsOf(episode: Episode, seen: ResourceStatus | undefined, values: 'with-values' | 'without-values'): readonly AlertedField[] {
  if (seen?.changes !== undefined) return seen.changes.slice(0, listedFields).map((change) => describeField(change, values));
  return (seen?.fields ?? episode.fields).slice(0, listedFields).map((display) => ({ display }));
}

function describeField({ path, display, live, desired, owners, seen }: FieldChange, values: 'with-values' | 'without-values'): AlertedField {
  const [actor] = [...(seen?.writers ?? []), ...owners];
  const shown = values === 'with-values';
  return {
    path,
    display,
    ...(desired === undefined || !shown ? {} : { desired }),
    ...(live === undefined || !shown ? {} : { live }),
    ...(actor === undefined ? {} : { actor }),
  };
}
