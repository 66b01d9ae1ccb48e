import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readApplication } from '../../../src/apps/index.ts';
import { renderPlain } from '../../../src/render/index.ts';
import { runCli } from '../../support/cli.ts';
import { startGitServer, type GitServer } from '../../support/git-server.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'examples', 'monorepo');
const textOf = (path: string): string => readFileSync(join(folder, path), 'utf8');

// Each is a process of its own, with threads for Git and for rendering.
const slow = 120_000;

let server: GitServer;
let temp: TempFolder;
let url: string;

beforeAll(async () => {
  [server, temp] = await Promise.all([startGitServer(), tempFolder()]);
  const repository = await server.createRepository('fleet');
  await repository.commit(Object.fromEntries(globSync('{apps,shared}/**/*.yaml', { cwd: folder }).map((path) => [path, textOf(path)])));
  url = repository.url;
});

afterAll(async () => {
  await Promise.all([server[Symbol.asyncDispose](), temp.remove()]);
});

test.each([
  ['checkout', ['apps/Deployment checkout']],
  ['search', ['apps/Deployment search', 'ConfigMap settings']],
])('the Application %s, with this repository in it, comes to %j', async (name, objects) => {
  const file = join(temp.path, `${name}.yaml`);
  await writeFile(file, textOf(`applications/${name}.yaml`).replaceAll('https://git.example.com/acme/fleet', url));
  const { code, stdout, stderr } = await runCli(['render', '--app', file, '-o', 'name']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n').map((line) => line.split('  ')[0])).toEqual(objects);
}, slow);

test.each(globSync('applications/*.yaml', { cwd: folder }))('%s is named like its file, and needs no warning', (path) => {
  const [document] = renderPlain([{ path, content: Buffer.from(textOf(path)) }]).documents;
  expect(readApplication(document?.object ?? null)).toMatchObject({ type: 'application', spec: { name: basename(path, '.yaml'), warnings: [] } });
});

test('the commands of the README work', async () => {
  const commands = [...textOf('README.md').matchAll(/^npx setpoint (render .*)$/gm)].map(([, command = '']) => command);
  const results = await Promise.all(commands.map((command) => runCli(command.split(' '))));
  expect(results.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, 'apps/Deployment checkout  deployment.yaml#1\n'],
    [0, 'apps/Deployment search  deployment.yaml#1\n'],
  ]);
}, slow);
