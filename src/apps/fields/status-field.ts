import type { BlockField, Fields } from './field.ts';

const text = (about: string) => ({ type: 'text', about }) as const;
const time = (about: string) => ({ type: 'time', about }) as const;

const sync: Fields = {
  status: text('Synced, OutOfSync or Unknown.'),
  cause: text('Of OutOfSync: git-ahead (a deploy on its way), live-changed (drift) or both.'),
  revision: text('The commit that was compared.'),
  shortRevision: text('The same for people, such as main@4e9c917.'),
  revisions: { type: 'texts', most: 20, about: 'The commits of several sources.' },
  comparedTo: {
    type: 'block',
    about: 'What the commit was found for.',
    fields: { source: { type: 'block', about: 'The first source.', fields: { repoURL: text('Repository.'), targetRevision: text('Branch, tag or commit.') } } },
  },
  since: time('When this verdict became another one.'),
  code: text('Why it is Unknown, in one word.'),
  message: text('Why it is Unknown, in one sentence.'),
};

const resource: Fields = {
  group: text('API group.'),
  kind: text('Kind.'),
  namespace: text('Namespace.'),
  name: text('Name.'),
  status: text('Synced, OutOfSync or Unknown.'),
  health: { type: 'block', about: 'Its health.', fields: { status: text('Healthy, Progressing, Suspended, Missing, Degraded or Unknown.') } },
  type: text('How it differs.'),
  cause: text('git-ahead, live-changed or both.'),
  since: time('When it was first seen like this.'),
  message: text('What there is to say.'),
  fields: { type: 'texts', most: 50, about: 'Paths of the fields that differ.' },
  by: text('Who changed it, as far as that is known.'),
  origin: text('Where Git has it: file and document.'),
};

/** The same as every metav1.Condition. */
const condition: BlockField = {
  type: 'block',
  about: 'One condition.',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  fields: {
    type: { type: 'text', longest: 316, about: 'Synced, Healthy, Reconciling, Stalled or another.' },
    status: { type: 'text', oneOf: ['True', 'False', 'Unknown'], about: 'Whether it holds.' },
    observedGeneration: { type: 'integer', least: 0, about: 'The generation that this is about.' },
    lastTransitionTime: time('When its status last became another.'),
    reason: { type: 'text', longest: 1024, about: 'Why, in one word.' },
    message: { type: 'text', longest: 32_768, about: 'Why, for people.' },
  },
};

/**
 * What the agent says of an Application, as far as it is for others. What Argo CD has too keeps its name and meaning. The rest of the
 * status is the agent's own: to describe it would make every write of a verdict a tenth slower for the server.
 */
export const statusField: BlockField = {
  type: 'block',
  about: 'What was seen. Written by the agent, which keeps its own records beside what is described here: docs/run.md.',
  fields: {
    observedGeneration: { type: 'integer', least: 0, about: 'The generation of the spec that this is about.' },
    drift: text('How many of the declared resources drifted, such as 2/14.'),
    driftedSince: time('Since when the oldest of them.'),
    sync: { type: 'block', about: 'Whether the cluster is as Git wants it.', fields: sync },
    health: { type: 'block', about: 'How the resources are.', fields: { status: text('That of the worst of them.'), message: text('Why.') } },
    resources: { type: 'blocks', most: 50, about: 'The first of those that are not as Git wants them.', item: { type: 'block', about: 'One resource.', fields: resource } },
    conditions: { type: 'blocks', most: 32, key: 'type', item: condition, about: 'What holds and what does not.' },
  },
};
