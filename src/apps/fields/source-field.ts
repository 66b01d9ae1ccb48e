import type { BlockField, Fields } from './field.ts';

const helm: Fields = {
  releaseName: { type: 'text', about: 'Name of the release; that of the Application where it is left out.' },
  valueFiles: { type: 'texts', most: 100, about: 'Value files, the later wins: from the chart, /x from the root of the repository, $ref/x from another source.' },
  ignoreMissingValueFiles: { type: 'flag', about: 'Leaves out value files that do not exist.' },
  values: { type: 'text', about: 'Values as YAML text; win over value files.' },
  valuesObject: { type: 'free', about: 'Values as a map; wins over values.' },
  parameters: {
    type: 'blocks',
    most: 500,
    about: 'As --set and --set-string; win over values.',
    item: {
      type: 'block',
      about: 'One parameter.',
      required: ['name'],
      fields: {
        name: { type: 'text', about: 'Path of the value.' },
        value: { type: 'text', about: 'The value.' },
        forceString: { type: 'flag', about: 'Takes numbers and booleans as text.' },
      },
    },
  },
  fileParameters: {
    type: 'blocks',
    most: 100,
    about: 'As --set-file.',
    item: {
      type: 'block',
      about: 'One parameter.',
      required: ['name', 'path'],
      fields: {
        name: { type: 'text', about: 'Path of the value.' },
        path: { type: 'text', about: 'File with the value; written as in valueFiles.' },
      },
    },
  },
  namespace: { type: 'text', about: 'Namespace of the release; that of the destination where it is left out.' },
  kubeVersion: { type: 'text', about: 'Kubernetes version that templates see; that of the cluster where it is left out.' },
  apiVersions: { type: 'texts', most: 1000, about: 'API versions that templates see; those of the cluster where they are left out.' },
  skipCrds: { type: 'flag', about: 'Leaves out the folder crds of the chart.' },
  skipTests: { type: 'flag', about: 'Leaves out test hooks.' },
  skipSchemaValidation: { type: 'flag', about: 'Does not check values against the schema of the chart.' },
  passCredentials: { type: 'unsupported', why: 'it concerns Helm repositories, and charts come from Git here' },
  version: { type: 'unsupported', why: 'there is one version of Helm here' },
};

const kustomize: Fields = {
  namePrefix: { type: 'text', about: 'Put before all names.' },
  nameSuffix: { type: 'text', about: 'Put after all names.' },
  namespace: { type: 'text', about: 'Namespace of all objects.' },
  images: { type: 'texts', most: 500, about: 'Images to use instead, as kustomize edit set image takes them.' },
  replicas: {
    type: 'blocks',
    most: 500,
    about: 'Replicas of workloads.',
    item: {
      type: 'block',
      about: 'Replicas of one workload.',
      required: ['name', 'count'],
      fields: {
        name: { type: 'text', about: 'Name of the workload.' },
        count: { type: 'count', about: 'Number of replicas.' },
      },
    },
  },
  commonLabels: { type: 'textMap', about: 'Labels of all objects.' },
  forceCommonLabels: { type: 'flag', about: 'Lets common labels win over those of the kustomization.' },
  labelWithoutSelector: { type: 'flag', about: 'Keeps common labels out of selectors.' },
  labelIncludeTemplates: { type: 'flag', about: 'Puts common labels into templates even where selectors are left out.' },
  commonAnnotations: { type: 'textMap', about: 'Annotations of all objects.' },
  forceCommonAnnotations: { type: 'flag', about: 'Lets common annotations win over those of the kustomization.' },
  patches: { type: 'frees', most: 500, about: 'Patches, as in a kustomization.' },
  components: { type: 'texts', most: 100, about: 'Folders of components to add.' },
  ignoreMissingComponents: { type: 'flag', about: 'Leaves out components that do not exist.' },
  commonAnnotationsEnvsubst: { type: 'unsupported', why: 'annotations are taken as they are written' },
  kubeVersion: { type: 'unsupported', why: 'charts in kustomizations are not rendered' },
  apiVersions: { type: 'unsupported', why: 'charts in kustomizations are not rendered' },
  version: { type: 'unsupported', why: 'there is one version of Kustomize here' },
};

const directory: Fields = {
  recurse: { type: 'flag', about: 'Reads the folders below, too.' },
  include: { type: 'text', about: 'Glob of files to read; * crosses folders, {a,b} is either.' },
  exclude: { type: 'text', about: 'Glob of files to leave out.' },
  jsonnet: { type: 'unsupported', why: 'Jsonnet is not rendered' },
};

/** One source, with Argo CD's names and meanings. */
export const sourceField: BlockField = {
  type: 'block',
  about: 'Where documents come from.',
  required: ['repoURL'],
  rules: [
    {
      rule: 'has(self.path) || has(self.ref)',
      message: 'path is missing: a folder of the Git repository is wanted (charts of Helm repositories are not supported)',
    },
    // Here and not at the field, whose value the server would repeat: it may hold a password.
    {
      rule: "self.repoURL.matches('^(?i:https?|ssh)://[^/]') || self.repoURL.matches('^[^/@:]+@[^/@:]+:.')",
      message: 'repoURL: an https://, http:// or ssh:// URL or USER@HOST:PATH is wanted: other ways to a Git repository are not supported',
    },
    {
      rule: "!self.repoURL.matches('^[^/]*://[^/]*:[^/]*@')",
      message: 'repoURL: a URL without a password is wanted: credentials are given to the agent',
    },
  ],
  fields: {
    repoURL: {
      type: 'text',
      about: 'URL of a Git repository, without credentials: https://HOST/PATH, ssh://USER@HOST/PATH or USER@HOST:PATH.',
      longest: 2048,
    },
    targetRevision: { type: 'text', longest: 512, about: 'Branch, tag or commit; HEAD where it is left out.' },
    path: {
      type: 'text',
      about: 'Folder of the repository. A source without it only lends files to the others.',
      longest: 4096,
      rules: [
        {
          rule: "!self.startsWith('/') && !self.matches('(^|/)[.][.](/|$)')",
          message: 'a path inside the repository is wanted: not absolute, and without ..',
        },
      ],
    },
    ref: { type: 'text', about: 'Name by which the other sources reach the files of this one: $name/x.' },
    name: { type: 'text', about: 'For people.' },
    directory: { type: 'block', about: 'Plain manifests.', fields: directory },
    helm: { type: 'block', about: 'A chart.', fields: helm },
    kustomize: { type: 'block', about: 'A kustomization.', fields: kustomize },
    chart: { type: 'refused', why: 'give a chart that lies in a Git repository, by its path' },
    plugin: { type: 'refused', why: 'give manifests, a chart or a kustomization' },
  },
};
