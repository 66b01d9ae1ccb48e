// What it takes to have the files of a commit here: the first time, when nothing is new, and when one file is.
import { rm } from 'node:fs/promises';
import type { BenchOptions, Figure } from '../bench.ts';
import type { Stall } from './stall.ts';
import { inMs, measureBoth, runGit, timed, type Pair } from './timing.ts';
import type { World } from './world.ts';

export interface Measured {
  readonly figures: readonly Figure[];
  readonly stalls: Readonly<Record<string, Stall>>;
  readonly failures: readonly string[];
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(2)} MiB`;
const next = ({ ours, theirs, ratio }: Pair): string => `${inMs(ours)}, git ${inMs(theirs)}: ${ratio.toFixed(2)} x`;

export async function measureFirstFetch(world: World, { quick, signal, say }: BenchOptions): Promise<Measured> {
  say('fetching for the first time');
  const [sizes, gitSizes]: [number[], number[]] = [[], []];
  const runs = quick ? 1 : 5;
  const pair = await measureBoth({
    runs,
    signal,
    async ours() {
      const folder = await world.newFolder('copy');
      const repository = world.open(folder, { fetched: ({ bytes }) => sizes.push(bytes) });
      const ms = await timed(async () => (await repository.pull('main', signal))[Symbol.dispose]());
      await repository.close();
      await rm(folder, { recursive: true });
      return ms;
    },
    async theirs() {
      const [copy, before] = [await world.newGitCopy(), await world.asked()];
      const { ms } = await runGit(['fetch', '--quiet', '--depth', '1', '--no-tags', 'origin', 'main'], copy);
      gitSizes.push((await world.asked()).bytes - before.bytes);
      await rm(copy, { recursive: true });
      return ms;
    },
  });
  const { applications, files, commits } = world.shape;
  return {
    figures: [
      {
        what: 'first fetch, depth 1',
        value: next(pair),
        conditions: `${applications * files} files, ${commits + 1} commits; ${mebibytes(Math.max(...sizes))} received, git ${mebibytes(Math.max(...gitSizes))} with its listing; into an empty folder; median of ${runs}, in turns`,
      },
    ],
    stalls: { 'first fetch': pair.stall },
    failures: [],
  };
}

export async function measurePoll(world: World, { quick, signal, say }: BenchOptions): Promise<Measured> {
  say('asking for one reference');
  const folder = await world.newFolder('copy');
  const runs = quick ? 3 : 21;
  let fetches = 0;
  const repository = world.open(folder, { fetched: () => (fetches += 1) });
  (await repository.pull('main', signal))[Symbol.dispose]();
  const before = await world.asked();
  const polls = 10;
  for (let poll = 0; poll < polls; poll++) (await repository.pull('main', signal))[Symbol.dispose]();
  const after = await world.asked();
  const [requests, bytes] = [(after.requests - before.requests) / polls, (after.bytes - before.bytes) / polls];
  const pair = await measureBoth({
    runs,
    signal,
    ours: () => timed(async () => (await repository.pull('main', signal))[Symbol.dispose]()),
    theirs: async () => (await runGit(['ls-remote', '--quiet', world.url, 'refs/heads/main'], world.gitDir)).ms,
  });
  await repository.close();
  const isPair = requests === 2 && fetches === 1;
  return {
    figures: [
      { what: 'poll of one reference', value: next(pair), conditions: `nothing is new; next to git ls-remote; median of ${runs}, in turns` },
      {
        what: 'requests of a poll',
        value: `${requests}, no pack`,
        conditions: `${polls} polls, counted by the server; ${bytes.toFixed(0)} bytes of answers each`,
        target: { wanted: '2, no pack', met: isPair },
      },
    ],
    stalls: { poll: pair.stall },
    failures: isPair ? [] : [`a poll took ${requests} requests and ${fetches - 1} fetches came with ${polls} polls, not 2 and none`],
  };
}

export async function measureIncremental(world: World, { quick, signal, say }: BenchOptions): Promise<Measured> {
  say('fetching one-file commits');
  const [folder, copy] = [await world.newFolder('copy'), await world.newGitCopy()];
  const sizes: number[] = [];
  const repository = world.open(folder, { fetched: ({ type, bytes }) => type === 'incremental' && sizes.push(bytes) });
  (await repository.pull('main', signal))[Symbol.dispose]();
  await runGit(['fetch', '--quiet', '--depth', '1', '--no-tags', 'origin', 'main'], copy);
  const runs = quick ? 3 : 15;
  const wrong: string[] = [];
  let wanted = '';
  const pair = await measureBoth({
    runs,
    signal,
    prepare: async () => ({ id: wanted } = await world.commit()),
    ours: () =>
      timed(async () => {
        using snapshot = await repository.pull('main', signal);
        if (snapshot.commit !== wanted) wrong.push(`${snapshot.commit} was fetched, not ${wanted}`);
      }),
    theirs: async () => (await runGit(['fetch', '--quiet', '--no-tags', 'origin', 'main'], copy)).ms,
  });
  await repository.close();
  return {
    figures: [
      {
        what: 'incremental fetch, one file',
        value: next(pair),
        conditions: `listing and fetch, each after a commit; ${Math.max(...sizes)} bytes received; git starts a process and a connection each time, ours are there; median of ${runs}, in turns`,
        target: { wanted: '<= 2 x', met: quick ? undefined : pair.ratio <= 2 },
      },
    ],
    stalls: { 'incremental fetch': pair.stall },
    failures: wrong,
  };
}
