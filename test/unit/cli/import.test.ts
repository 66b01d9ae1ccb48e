import { EventEmitter } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { runCli } from '../../../src/cli/run-cli.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

const application = (name: string, more = ''): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: ${name}, namespace: argocd }
spec:
  project: default
  source: { repoURL: https://git.example.com/acme/fleet, path: ${name} }
  destination: { namespace: ${name}${more} }
`;
const web = application('web');
const elsewhere = application('edge', ', server: https://10.1.2.3:6443');

let folder: TempFolder;

beforeAll(async () => {
  folder = await tempFolder();
  await mkdir(join(folder.path, 'apps', 'deep'), { recursive: true });
  await mkdir(join(folder.path, 'nothing'));
  await writeFile(join(folder.path, 'apps', 'web.yaml'), web);
  await writeFile(join(folder.path, 'apps', 'deep', 'more.yml'), `${application('search')}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: other }\n`);
  await writeFile(join(folder.path, 'apps', 'values.yaml'), 'replicas: 3\n');
  await writeFile(join(folder.path, 'apps', 'template.yaml'), 'kind: {{ .Values.kind }}\n');
  await writeFile(join(folder.path, 'nothing', 'values.yaml'), 'replicas: 3\n');
});

afterAll(() => folder.remove());

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function setpoint(args: readonly string[], input = ''): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr'): EventEmitter => Object.assign(new EventEmitter(), { write: (text: string) => (printed[name] += text) });
  const child = Object.assign(new EventEmitter(), {
    ...{ argv: ['node', 'setpoint', 'import', 'argocd', ...args], env: {}, cwd: () => folder.path, exitCode: -1 },
    ...{ stdin: Readable.from([Buffer.from(input)]), stdout: sink('stdout'), stderr: sink('stderr') },
  });
  await runCli(child as unknown as NodeJS.Process);
  return { code: child.exitCode, ...printed };
}

const namesIn = (yaml: string): readonly unknown[] => parseAllDocuments(yaml).map((document) => document.getIn(['metadata', 'name']));

test('what was converted is on stdout, what differs on stderr, and 0 says that all of it was', async () => {
  const { code, stdout, stderr } = await setpoint(['-f', '-'], web);
  expect(code).toBe(0);
  expect(parse(stdout)).toEqual({
    ...{ apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name: 'web', namespace: 'argocd' } },
    spec: { source: { repoURL: 'https://git.example.com/acme/fleet', path: 'web' }, destination: { namespace: 'web' } },
  });
  expect(stderr).toBe('Application argocd/web  -#1  converted\n1 converted, 0 not; 0 differences\n');
});

test('what kubectl get prints is taken apart', async () => {
  const items = [web, application('search')].map((text) => parse(text) as unknown);
  const { code, stdout } = await setpoint(['-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  expect(code).toBe(0);
  expect(namesIn(stdout)).toEqual(['web', 'search']);
});

test('3 says that something was not converted, and the rest is printed', async () => {
  const { code, stdout, stderr } = await setpoint(['-f', '-'], `${web}---\n${elsewhere}`);
  expect(code).toBe(3);
  expect(namesIn(stdout)).toEqual(['web']);
  expect(stderr).toMatch(/^Application argocd\/edge .* not converted\n {2}refused {4}spec\.destination\.server: .*run an agent in that cluster/m);
  expect(stderr).toMatch(/^1 converted, 1 not; 1 difference$/m);
});

test('3 says also that a document could not be read', async () => {
  const { code, stdout, stderr } = await setpoint(['-f', '-'], `${web}---\nkind: [\n`);
  expect(code).toBe(3);
  expect(namesIn(stdout)).toEqual(['web']);
  expect(stderr).toMatch(/^setpoint: -#2: error: /m);
});

test('of a folder the files are read that have to do with Argo CD, those below it, too', async () => {
  const { code, stdout, stderr } = await setpoint(['-f', join(folder.path, 'apps')]);
  expect(code).toBe(0);
  expect(namesIn(stdout)).toEqual(['search', 'web']);
  expect(stderr).toMatch(/^2 converted, 0 not; /m);
});

test('--report prints what differs on stdout, and no Application', async () => {
  const { code, stdout, stderr } = await setpoint(['-f', '-', '--report'], elsewhere);
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
  expect(stdout).toMatch(/^0 converted, 1 not; 1 difference$/m);
  expect(stdout).not.toContain('kind: Application');
});

test.each(['json', 'yaml'] as const)('--report -o %s is a document for programs', async (format) => {
  const { stdout } = await setpoint(['-f', '-', '--report', '-o', format], `${web}---\n${elsewhere}`);
  expect(parse(stdout)).toMatchObject({
    ...{ apiVersion: 'setpoint.dev/v1', kind: 'ImportReport' },
    items: [
      { origin: '-#1', kind: 'Application', namespace: 'argocd', name: 'web', outcome: 'converted', differences: [] },
      { origin: '-#2', name: 'edge', outcome: 'refused', differences: [{ path: 'spec.destination.server', type: 'refused' }] },
    ],
  });
});

test('-o json is a list that kubectl takes', async () => {
  const { stdout } = await setpoint(['-f', '-', '-o', 'json'], web);
  expect(JSON.parse(stdout)).toMatchObject({ apiVersion: 'v1', kind: 'List', items: [{ kind: 'Application', metadata: { name: 'web' } }] });
});

test.each([
  ['no path and no cluster', ['--kubeconfig', '/nowhere/config'], /\/nowhere\/config/],
  ['a path that is not there', ['-f', '/nowhere/at/all'], /\/nowhere\/at\/all cannot be read: there is no such file or folder: check -f/],
  ['documents of others alone', ['-f', '-'], /Applications of argoproj\.io are wanted, got none among 1 documents of -/],
])('%s is an error', async (_, args, message) => {
  const { code, stdout, stderr } = await setpoint(args, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: other }\n');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('a folder without any is an error that names it', async () => {
  const { code, stderr } = await setpoint(['-f', join(folder.path, 'nothing')]);
  expect(code).toBe(2);
  expect(stderr).toContain('got none in the 1 YAML and JSON files');
});

test('a name that would steer the terminal is shown as an escape', async () => {
  const { stderr } = await setpoint(['-f', '-'], web.replace('argocd }', '"a\\e[2Jb" }'));
  expect(stderr).toContain(String.raw`a\u001b[2Jb`);
  expect(stderr).not.toContain('\u001b');
});
