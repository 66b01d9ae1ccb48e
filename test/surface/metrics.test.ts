import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/telemetry/index.ts';

async function described(): Promise<readonly string[]> {
  const metrics = createMetrics();
  metrics.sample({ apps: () => [], queues: () => Promise.resolve([]), alerts: () => Promise.resolve([]), destinations: () => [], isLeader: () => false, now: () => new Date(0) });
  const lines = (await metrics.text()).split('\n');
  const types = new Map(lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ').slice(2) as [string, string]));
  return lines.filter((line) => line.startsWith('# HELP')).map((line) => {
    const [, , name = '', ...help] = line.split(' ');
    return `${name} (${types.get(name)}): ${help.join(' ')}`;
  }).toSorted();
}

test('the metrics are as recorded: others build alerts on their names', async () => {
  await expect(`${(await described()).join('\n')}\n`).toMatchFileSnapshot('golden/metrics.txt');
});

test('each has its line in docs/metrics.md, and no other has', async () => {
  const page = await readFile('docs/metrics.md', 'utf8');
  const named = [...page.matchAll(/^\| `(setpoint_\w+)/gm)].map(([, name]) => name ?? '').toSorted();
  expect(named).toEqual((await described()).map((line) => line.split(' ')[0] ?? ''));
});
