import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/telemetry/index.ts';

/** The samples, without help and types. */
async function samples(metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> {
  return (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#')).toSorted();
}

test('work is counted by repository and kind, bytes with it', async () => {
  const metrics = createMetrics();
  metrics.gitListed('https://h/r');
  metrics.gitListed('https://h/r');
  metrics.gitFetched('https://h/r', 'first', 1000);
  metrics.gitFetched('https://h/r', 'incremental', 24);
  metrics.rendered('helm');
  metrics.rendered('directory');
  metrics.rendered('helm');
  metrics.parsed(3);
  metrics.parsed(4);
  expect(await samples(metrics)).toEqual([
    'setpoint_git_fetched_bytes_total{repository="https://h/r"} 1024',
    'setpoint_git_fetches_total{repository="https://h/r",type="first"} 1',
    'setpoint_git_fetches_total{repository="https://h/r",type="incremental"} 1',
    'setpoint_git_listings_total{repository="https://h/r"} 2',
    'setpoint_parsed_files_total 7',
    'setpoint_renders_total{kind="directory"} 1',
    'setpoint_renders_total{kind="helm"} 2',
  ]);
});

test('every metric says what it is', async () => {
  const text = await createMetrics().text();
  for (const name of ['git_listings', 'git_fetches', 'git_fetched_bytes', 'renders', 'parsed_files']) {
    expect(text).toMatch(new RegExp(`# HELP setpoint_${name}_total .+\\.`));
    expect(text).toContain(`# TYPE setpoint_${name}_total counter`);
  }
});

test('two agents in one process do not count together', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.parsed(5);
  expect(await samples(other)).toEqual(['setpoint_parsed_files_total 0']);
});

test('quotes and line breaks in a URL do not make a sample of their own', async () => {
  const metrics = createMetrics();
  metrics.gitListed('https://h/"}\nfake_total 1');
  expect(await samples(metrics)).toEqual([String.raw`setpoint_git_listings_total{repository="https://h/\"}\nfake_total 1"} 1`, 'setpoint_parsed_files_total 0']);
});
