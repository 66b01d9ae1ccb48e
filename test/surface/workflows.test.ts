import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';

interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = join(import.meta.dirname, '..', '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const files = globSync('.github/workflows/*.yml', { cwd: root }).toSorted();
const read = (file: string): ReturnType<typeof parseDocument> => parseDocument(readFileSync(join(root, file), 'utf8'), { strict: true, uniqueKeys: true });
const stepsOf = (file: string): Job['steps'] => Object.values((read(file).toJS() as Workflow).jobs).flatMap(({ steps }) => steps);

/** `npm test` and `npm run NAME`, whatever is set before and given behind it. */
const scriptsIn = (run: string): readonly string[] => [...run.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(test)\b)/g)].map(([, named, plain]) => named ?? plain ?? '');

test('there is one for every change and one for kind', () => {
  expect(files).toEqual(['.github/workflows/ci.yml', '.github/workflows/kind.yml']);
  expect(stepsOf('.github/workflows/ci.yml').flatMap(({ run = '' }) => scriptsIn(run))).toEqual(expect.arrayContaining(['check', 'build:control-plane', 'build:render', 'check:chart', 'test', 'test:faults', 'test:package']));
  expect(stepsOf('.github/workflows/kind.yml').flatMap(({ run = '' }) => scriptsIn(run))).toEqual(['e2e:kind']);
});

test('what takes minutes to build is built before the first test that needs it', () => {
  const { jobs } = read('.github/workflows/ci.yml').toJS() as Workflow;
  const order = jobs['test']?.steps.flatMap(({ run = '' }) => scriptsIn(run)) ?? [];
  expect(order.slice(0, 3)).toEqual(['build:control-plane', 'build:render', 'check:chart']);
  const config = readFileSync(join(root, 'vitest.config.ts'), 'utf8');
  expect(config).toMatch(/name: 'surface'.*globalSetup: \[prebuild\]/);
});

describe.each(files)('%s', (file) => {
  test('is YAML that nobody has to guess at', () => {
    const { errors, warnings } = read(file);
    expect([...errors, ...warnings]).toEqual([]);
  });

  test('may only read, and every job ends by itself', () => {
    const { permissions, jobs } = read(file).toJS() as Workflow;
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job).toMatchObject({ 'runs-on': 'ubuntu-24.04', 'timeout-minutes': expect.any(Number) as number });
  });

  test('runs only scripts that are there, after the packages are', () => {
    for (const { steps } of Object.values((read(file).toJS() as Workflow).jobs)) {
      const [first, ...others] = steps.flatMap(({ run }) => run ?? []);
      expect(first).toBe('npm ci');
      for (const run of others) expect(scriptsIn(run)).toHaveLength(1);
      expect(others.flatMap(scriptsIn).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    }
  });

  test('uses only actions of GitHub’s own, by a major version or a commit', () => {
    for (const { uses } of stepsOf(file).filter((step) => step.uses !== undefined)) expect(uses).toMatch(/^actions\/(?:checkout|setup-node|setup-go|cache)@(?:v\d+|[0-9a-f]{40})$/);
  });
});
