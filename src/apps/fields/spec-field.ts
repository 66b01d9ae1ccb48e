import type { BlockField, Fields } from './field.ts';
import { sourceField } from './source-field.ts';

const syncPolicy: Fields = {
  automated: {
    type: 'block',
    about: 'New commits are applied. Without it they are only reported.',
    fields: {
      enabled: { type: 'flag', about: 'False: as if automated were left out.' },
      prune: { type: 'flag', about: 'Deletes what Git no longer has, as far as the guards allow it.' },
      selfHeal: { type: 'flag', about: 'The same as drift.mode: Heal.' },
      allowEmpty: { type: 'flag', about: 'Not supported: nothing is deleted because Git has nothing.' },
    },
  },
  syncOptions: { type: 'texts', most: 50, about: 'How to sync, such as CreateNamespace=true.' },
  timeout: { type: 'duration', leastSeconds: 10, about: 'How long a wave waits for what is not well before the sync fails. 10m where it is left out.' },
  retry: {
    type: 'block',
    about: 'How failed syncs are tried again.',
    fields: {
      limit: { type: 'integer', about: 'Not supported: nothing is ever given up.' },
      backoff: {
        type: 'block',
        about: 'How long to wait in between.',
        fields: {
          duration: { type: 'duration', about: 'Before the first retry.' },
          factor: { type: 'integer', least: 1, about: 'How many times longer each time.' },
          maxDuration: { type: 'duration', about: 'The longest.' },
        },
      },
      refresh: { type: 'flag', about: 'A retry takes the newest commit; it always does.' },
    },
  },
  managedNamespaceMetadata: {
    type: 'block',
    about: 'What the namespace is given when CreateNamespace=true makes it. One that is there is left as it is.',
    fields: { labels: { type: 'textMap', about: 'Its labels.' }, annotations: { type: 'textMap', about: 'Its annotations.' } },
  },
};

const text = (about: string) => ({ type: 'text', about }) as const;

/** A rule says which objects and which of their fields may differ. */
const ignoreRule: Fields = {
  group: text('API group of the objects; * stands for anything.'),
  kind: text('Their kind.'),
  name: text('Their name; any where it is left out.'),
  namespace: text('Their namespace; any where it is left out.'),
  jsonPointers: { type: 'texts', most: 200, about: 'Fields by JSON pointer.' },
  paths: { type: 'texts', most: 200, about: 'Fields by path, such as spec.containers[*].image.' },
  jqPathExpressions: { type: 'texts', most: 200, about: 'Fields by jq path expression.' },
  managedFieldsManagers: { type: 'texts', most: 200, about: 'Fields that these managers hold.' },
};

export const specField: BlockField = {
  type: 'block',
  about: 'What is compared with what, and what is done about a difference.',
  rules: [
    {
      rule: 'has(self.source) != (has(self.sources) && size(self.sources) > 0)',
      message: 'exactly one of source and sources is wanted, and sources not empty',
    },
  ],
  fields: {
    project: { type: 'text', about: 'Only default: the rights in the cluster decide.' },
    source: { ...sourceField, about: 'Where documents come from.' },
    sources: { type: 'blocks', most: 20, item: sourceField, about: 'Where documents come from, several at once.' },
    destination: {
      type: 'block',
      about: 'Where the objects are. Only the cluster that the agent watches.',
      fields: {
        server: { type: 'text', about: 'https://kubernetes.default.svc, or left out.' },
        name: { type: 'text', about: 'in-cluster, or left out.' },
        namespace: {
          type: 'text',
          about: 'Of objects that name none.',
          longest: 63,
          rules: [{ rule: "self == '' || self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')", message: 'the name of a namespace is wanted: lower-case letters, digits and dashes' }],
        },
      },
    },
    syncPolicy: { type: 'block', about: 'What is done about new commits.', fields: syncPolicy },
    drift: {
      type: 'block',
      about: 'What is done about live changes.',
      fields: {
        mode: { type: 'text', oneOf: ['Alert', 'Heal', 'Ignore'], about: 'Of fields that Git has. Alert where it is left out.' },
        foreignFields: { type: 'text', oneOf: ['Report', 'Revert', 'Ignore'], about: 'Of fields that somebody added by hand. Report where it is left out.' },
        rules: {
          type: 'frees',
          most: 100,
          known: { mode: { type: 'text', oneOf: ['Alert', 'Heal', 'Ignore'], about: 'Of these fields.' }, ...ignoreRule },
          about: 'Of single fields, where it is another mode: a mode, and fields as in ignoreDifferences. The first rule about a field decides.',
        },
      },
    },
    syncWindows: {
      type: 'blocks',
      most: 50,
      about: 'When something may be synced, and when nothing.',
      item: {
        type: 'block',
        about: 'One window.',
        required: ['kind', 'schedule', 'duration'],
        fields: {
          kind: { type: 'text', oneOf: ['allow', 'deny'], about: 'Whether it is a time to sync, or one not to. Where there are times to, there are no others.' },
          schedule: { type: 'text', longest: 200, about: 'When it opens, as cron has it: minute, hour, day of the month, month, day of the week.' },
          duration: { type: 'duration', leastSeconds: 60, about: 'How long it stays open, at least 1m.' },
          timeZone: { type: 'text', longest: 64, about: 'Whose clocks, such as Europe/Berlin. UTC where it is left out.' },
          manualSync: { type: 'flag', about: 'Whether syncs that are asked for by hand are free of it.' },
        },
      },
    },
    ignoreDifferences: { type: 'frees', most: 100, known: ignoreRule, about: 'What may differ.' },
    deletionPolicy: { type: 'text', oneOf: ['Orphan', 'Cascade'], about: 'What becomes of the objects when the Application is deleted. Orphan where it is left out.' },
    interval: { type: 'duration', leastSeconds: 10, about: 'How often Git is asked, at least 10s.' },
    revisionHistoryLimit: { type: 'integer', least: 0, about: 'Not supported: the last 10 are kept.' },
    info: { type: 'unsupported', why: 'it is shown nowhere' },
    sourceHydrator: { type: 'unsupported', why: 'give the branch with the hydrated manifests as source' },
  },
};
