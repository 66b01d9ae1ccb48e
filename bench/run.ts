// `npm run bench NAME`: measures, and prints figures that are ratios within one run on one machine.
import { parseArgs } from 'node:util';
import { benchAgent } from './agent.ts';
import type { Bench, BenchOptions } from './bench.ts';
import { benchDiff } from './diff.ts';
import { recordResult, tableOf } from './results.ts';
import { benchSource } from './source.ts';
import { benchSync } from './sync.ts';

const benches: Readonly<Record<string, Bench>> = { diff: benchDiff, source: benchSource, agent: benchAgent, sync: benchSync };

const names = Object.entries(benches).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
const usage = `npm run bench NAME [-- OPTIONS]

${names.join('\n')}

  --quick     few objects and short measurements: whether it works, not how fast
  --verbose   what the figures are made of
  --record    write the figures to bench/RESULTS.md

A control plane of its own is started for diff (see CONTRIBUTING.md), or SETPOINT_TEST_KUBECONFIG is used; agent and sync always start one,
and need git; source needs git, and the helm and kubectl that are built with that control plane.
`;

const flags = { quick: { type: 'boolean' }, verbose: { type: 'boolean' }, record: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: flags, allowPositionals: true, strict: false });
  const unknown = Object.keys(values).find((flag) => !Object.hasOwn(flags, flag));
  if (unknown !== undefined) return refuse(`there is no option --${unknown}`);
  if (values['help'] === true) {
    process.stdout.write(usage);
    return 0;
  }
  const [name = '', ...more] = positionals;
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (bench === undefined || more.length > 0) {
    const what = name === '' ? 'no benchmark was named' : bench === undefined ? `there is no benchmark ${name}` : `one benchmark at a time, not also ${more.join(', ')}`;
    return refuse(`${what}: one of ${Object.keys(benches).join(', ')} is wanted`);
  }
  const [quick, verbose, record] = [values['quick'] === true, values['verbose'] === true, values['record'] === true];
  if (quick && record) return refuse('--quick says whether it works, not how fast: there is nothing to --record');
  const signal = interruption();
  const result = await bench.run({ quick, verbose, signal, say, print }).catch((error: unknown) => {
    // What is half done cannot always be undone without complaint.
    if (signal.aborted) throw signal.reason;
    throw error;
  });
  print(`\n${tableOf(result.figures)}`);
  for (const failure of result.failures) print(`\nWRONG: ${failure}`);
  if (record && result.failures.length === 0) print(`\nrecorded in ${await recordResult(name, result)}`);
  return result.failures.length === 0 ? 0 : 1;
}

function refuse(why: string): number {
  process.stderr.write(`${why}; see --help\n`);
  return 2;
}

/** The first Ctrl-C lets everything be cleaned up; the second ends the process as usual. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort(new Error(`interrupted by ${name}`)));
  return interrupted.signal;
}

const started = performance.now();

const say: BenchOptions['say'] = (progress) => void process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${progress}\n`);
const print: BenchOptions['print'] = (result) => void process.stdout.write(`${result}\n`);

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`the benchmark failed: ${error instanceof Error ? (process.env['DEBUG'] === undefined ? error.message : (error.stack ?? '')) : String(error)}\n`);
  process.exitCode = 1;
}
