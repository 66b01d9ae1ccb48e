import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readApplication } from '../../../src/apps/index.ts';
import { renderPlain } from '../../../src/render/index.ts';
import { runCli } from '../../support/cli.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'examples', 'migration');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

test('the command of the README makes application.yaml of argocd.yaml, and says what the README shows', async () => {
  const [, command = ''] = /^npx setpoint (.*)$/m.exec(textOf('README.md')) ?? [];
  const { code, stdout, stderr } = await runCli(command.split(' '));
  expect({ code, stdout }).toEqual({ code: 0, stdout: textOf('application.yaml') });
  expect(textOf('README.md')).toContain(`\`\`\`text\n${stderr}\`\`\`\n`);
}, 120_000);

test('both mean the same to the agent, but for what the README names', () => {
  const read = (name: string): unknown => renderPlain([{ path: name, content: Buffer.from(textOf(name)) }]).documents.map(({ object }) => readApplication(object))[0];
  const [before, after] = [read('argocd.yaml'), read('application.yaml')];
  expect(before).toMatchObject({ type: 'application', spec: { policy: { deploy: 'automatic', drift: 'Heal', prune: true }, syncOptions: ['CreateNamespace=true'] } });
  expect(after).toMatchObject({ type: 'application', spec: { policy: { deploy: 'automatic', drift: 'Heal', prune: true }, syncOptions: ['CreateNamespace=true'], warnings: [] } });
});
