import type { BlockField, Fields } from './field.ts';

const text = (about: string) => ({ type: 'text', about }) as const;
const time = (about: string) => ({ type: 'time', about }) as const;

const sync: Fields = {
  status: text('Synced, OutOfSync or Unknown.'),
  cause: text('Of OutOfSync: git-ahead (a deploy on its way), live-changed (drift) or both.'),
  revision: text('The commit that was compared.'),
  shortRevision: text('The same for people, such as main@4e9c917.'),
  revisions: { type: 'texts', most: 20, about: 'The commits of several sources.' },
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

/** What the agent says of an Application. What Argo CD has too keeps its name and meaning. */
export const statusField: BlockField = {
  type: 'block',
  about: 'What was seen. Written by the agent.',
  fields: {
    observedGeneration: { type: 'integer', least: 0, about: 'The generation of the spec that this is about.' },
    observedAt: time('When it was looked at with this outcome. Whether the agent is still there, its lease tells.'),
    observedRefresh: text('The request for a look that was last answered.'),
    mode: text('alert, auto or paused.'),
    drift: text('How many of the declared resources drifted, such as 2/14.'),
    driftedSince: time('Since when the oldest of them.'),
    sync: { type: 'block', about: 'Whether the cluster is as Git wants it.', fields: sync },
    health: { type: 'block', about: 'How the resources are.', fields: { status: text('That of the worst of them.'), message: text('Why.') } },
    resources: { type: 'blocks', most: 50, about: 'The first of those that are not as Git wants them.', item: { type: 'block', about: 'One resource.', fields: resource } },
    counts: { type: 'free', about: 'How many resources there are of each sort.' },
    conditions: { type: 'blocks', most: 32, key: 'type', item: condition, about: 'What holds and what does not.' },
    episodes: { type: 'frees', most: 150, about: 'Differences of resources: those that are open, and the last that ended.' },
    alerts: { type: 'frees', most: 200, about: 'What was found worth telling, and how far that got with each destination.' },
    history: { type: 'frees', most: 10, about: 'The last syncs, newest first.' },
    operation: { type: 'free', about: 'The sync under way, or the last one.' },
    answered: { type: 'free', about: 'The request for a sync that was answered last.' },
    held: { type: 'frees', most: 20, about: 'What a sync would have to do and does not, with the reason.' },
    unhealthy: { type: 'frees', most: 50, about: 'The first of those that are not well.' },
    rendered: text('Names the list of resources that was rendered last.'),
    inventory: { type: 'text', longest: 300_000, about: 'What was applied, compressed.' },
    epoch: { type: 'integer', least: 0, about: 'The term of the agent that wrote this: an older one does not overwrite it.' },
    memory: { type: 'text', longest: 700_000, about: 'What Git and the cluster last agreed on, compressed.' },
    answeredReplay: { type: 'text', about: 'The request to send dead letters again that was answered last.' },
    lease: text('Namespace and name of the lease of the agent that wrote this.'),
    subject: text('What is compared with what, where that is fixed.'),
  },
};
