// Holds the import table of the house: which folder may import which, and who may use what from outside.
// `node test/support/check-imports.ts [ROOT]` cruises ROOT/src; the root is there for the test of this check.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const core = ['diff', 'health', 'plan', 'alert'];
const adapters = ['apps', 'git', 'render', 'cluster', 'queue', 'notify', 'status'];

const mayImport: Readonly<Record<string, readonly string[]>> = {
  model: [],
  telemetry: ['model'],
  ...Object.fromEntries(core.map((folder) => [folder, ['model']])),
  ...Object.fromEntries([...adapters, 'sync', 'leader', 'config', 'server'].map((folder) => [folder, ['model', 'telemetry']])),
  dispatch: ['model', 'telemetry', 'alert'],
  import: ['model', 'apps', 'diff'],
  reconcile: ['model', 'telemetry', ...core, 'sync'],
};

/** Packages with one door: nobody else may import them. */
const doors: Readonly<Record<string, string>> = {
  '@bufbuild/cel': 'health',
  '@kubernetes/client-node': 'cluster',
  bullmq: 'queue',
  commander: 'cli',
  fastify: 'server',
  'fast-json-patch': 'diff',
  ioredis: 'queue',
  'isomorphic-git': 'git',
  pino: 'telemetry',
  'prom-client': 'telemetry',
  ssh2: 'git',
  zod: 'config',
};

const folderRules = Object.entries(mayImport).map(([folder, allowed]) => ({
  name: `${folder}-imports-only-${allowed.join('-') || 'itself'}`,
  severity: 'error' as const,
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(?:${[folder, ...allowed].join('|')})/` },
}));

const rules = [
  ...folderRules,
  {
    name: 'folders-are-entered-through-their-index',
    severity: 'error' as const,
    from: { path: '^src/([^/]+)(?:/|\\.ts$)' },
    to: { path: '^src/[^/]+/', pathNot: '^src/$1/|^src/[^/]+/index\\.ts$' },
  },
  {
    name: 'the-core-is-pure',
    severity: 'error' as const,
    from: { path: `^src/(?:model|${core.join('|')})/` },
    to: { dependencyTypes: ['core' as const], pathNot: '^(?:node:)?crypto$' },
  },
  {
    name: 'the-model-imports-no-package',
    severity: 'error' as const,
    from: { path: '^src/model/' },
    to: { dependencyTypes: ['npm' as const, 'core' as const] },
  },
  {
    // A kubeconfig may name a program that gives the credentials, and the user one that shows the diff: kubectl runs them, so must we.
    name: 'subprocesses-only-in-git-and-render-and-where-kubectl-runs-one',
    severity: 'error' as const,
    from: { path: '^src/', pathNot: '^src/(?:(?:git|render)/|(?:cluster/auth/exec-credential|cli/external-diff)\\.ts$)' },
    to: { path: '^(?:node:)?child_process$' },
  },
  ...Object.entries(doors).map(([name, folder]) => ({
    name: `${name.replaceAll(/\W+/g, '-')}-only-in-${folder}`,
    severity: 'error' as const,
    from: { path: '^src/', pathNot: `^src/${folder}/` },
    to: { path: `^node_modules/${name}(?:/|$)` },
  })),
  { name: 'no-cycles', severity: 'error' as const, from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only' as const] } } },
  { name: 'product-imports-no-tests', severity: 'error' as const, from: { path: '^src/' }, to: { path: '^test/' } },
  { name: 'nothing-unresolved', severity: 'error' as const, from: {}, to: { couldNotResolve: true } },
];

const root = resolve(process.argv[2] ?? '.');
process.chdir(root);
const { output } = await cruise(
  ['src'],
  { ruleSet: { forbidden: rules }, validate: true, tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' }, outputType: 'json' },
  { extensions: ['.ts', '.js'] },
  { tsConfig: extractTSConfig(resolve(import.meta.dirname, '../../tsconfig.json')) },
);
if (typeof output !== 'string') throw new TypeError('dependency-cruiser gave no JSON');
const { modules, summary } = JSON.parse(output) as ICruiseResult;
const cruised = modules.filter(({ source }) => source.startsWith('src/')).length;
const present = globSync('src/**/*.ts').length;
for (const { from, to, rule } of summary.violations) process.stderr.write(`${from} -> ${to}: ${rule.name}\n`);
if (cruised < present) process.stderr.write(`cruised ${cruised} of ${present} modules in src: the check is blind\n`);
if (summary.violations.length > 0 || cruised < present) process.exit(1);
process.stdout.write(`imports: ${cruised} modules of src hold ${rules.length} rules\n`);
