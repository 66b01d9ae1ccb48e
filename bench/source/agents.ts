// All applications of the repository in a process of their own: started with nothing, told of commits, and started again.
import type { BenchOptions } from '../bench.ts';
import type { Look } from './agent-child.ts';
import { startChild } from './child.ts';
import type { Measured } from './fetches.ts';
import { applicationName } from './manifests.ts';
import { worstOf } from './stall.ts';
import { inMs, measureBoth, runGit } from './timing.ts';
import type { World } from './world.ts';

export async function measureAgents(world: World, options: BenchOptions): Promise<Measured> {
  const { quick, say } = options;
  const folder = await world.newFolder('agent');
  const args = [world.url, folder, String(world.shape.applications)];
  say('starting with nothing');
  await using agent = await startChild<Look>('agent-child.ts', args);
  const cold = agent.first;
  const changes = await measureChanges(world, { ...options, look: () => agent.ask() });
  const last = await agent.ask();
  await agent[Symbol.asyncDispose]();

  say('starting again');
  const restarts: Look[] = [];
  for (let run = 0; run < (quick ? 1 : 3); run++) {
    await using again = await startChild<Look>('agent-child.ts', args);
    restarts.push(again.first);
  }
  const [restart = cold] = restarts.toSorted((a, b) => a.ms - b.ms).slice(restarts.length >> 1);
  const { applications, files } = world.shape;
  const all = applications * files;
  const wrong = [cold, ...restarts].flatMap(({ documents }) => (documents === 2 * all ? [] : [`${documents} documents came, not ${2 * all}`]));
  const [parsedCold, parsedAgain] = [cold.parsed, Math.max(...restarts.map(({ parsed }) => parsed))];
  if (parsedCold !== all) wrong.push(`${parsedCold} files were parsed at first, not ${all}`);
  const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  return {
    figures: [
      { what: 'cold start', value: inMs(cold.ms), conditions: `a new process, from nothing to the ${cold.documents} documents of ${applications} applications, 8 at a time: ${cold.fetches} fetch, ${cold.parsed} files parsed; once` },
      {
        what: 'restart, files parsed',
        value: `${parsedAgain} in ${inMs(restart.ms)}`,
        conditions: `a new process on what the last one left, to the same documents; ${restart.fetches} fetches; median of ${restarts.length}`,
        target: { wanted: '0', met: parsedAgain === 0 },
      },
      ...changes.figures,
      {
        what: 'memory',
        value: mebibytes(last.rssBytes),
        conditions: `resident, of the process with all ${applications} applications after ${changes.commits} commits, threads included; at most ${mebibytes(cold.maxRssBytes)} at the cold start, ${mebibytes(restart.maxRssBytes)} at a restart`,
      },
    ],
    stalls: { 'cold start': cold.stall, ...changes.stalls, restart: worstOf(restarts.map(({ stall }) => stall)) },
    failures: [...wrong, ...changes.failures],
  };
}

interface ChangeOptions extends BenchOptions {
  readonly look: () => Promise<Look>;
}

async function measureChanges(world: World, { quick, signal, say, look }: ChangeOptions): Promise<Measured & { readonly commits: number }> {
  say('finding out what commits change');
  const copy = await world.newGitCopy();
  await runGit(['fetch', '--quiet', '--depth', '1', '--no-tags', 'origin', 'main:refs/heads/before'], copy);
  const looks: Look[] = [];
  const wrong: string[] = [];
  const runs = quick ? 2 : 11;
  let expected = '';
  const pair = await measureBoth({
    runs,
    signal,
    prepare: async () => (expected = applicationName((await world.commit()).application)),
    async ours() {
      const seen = await look();
      looks.push(seen);
      if (seen.changed.join() !== expected) wrong.push(`a commit to ${expected} changed ${seen.changed.join(', ') || 'nothing'}`);
      return seen.ms;
    },
    async theirs() {
      const fetched = await runGit(['fetch', '--quiet', '--no-tags', 'origin', 'main'], copy);
      const compared = await runGit(['diff', '--name-only', 'refs/heads/before', 'FETCH_HEAD'], copy);
      await runGit(['update-ref', 'refs/heads/before', 'FETCH_HEAD'], copy);
      return fetched.ms + compared.ms;
    },
  });
  const renders = looks.map((each) => each.renders);
  const isOne = looks.every((each) => each.renders === 1 && each.fetches === 1 && each.parsed === 1);
  return {
    figures: [
      {
        what: 'commit to changed applications',
        value: `${inMs(pair.ours)}, git ${inMs(pair.theirs)}: ${pair.ratio.toFixed(2)} x`,
        conditions: `one file in one of ${world.shape.applications} applications: all are asked for, fetched, rendered and told apart; next to git fetch and git diff --name-only; median of ${runs}, in turns`,
      },
      {
        what: 'renders after a one-file commit',
        value: String(Math.max(...renders)),
        conditions: `${looks.length} commits, at most; 1 fetch and 1 parsed file each`,
        target: { wanted: '1', met: isOne },
      },
    ],
    stalls: { 'commit to changed applications': worstOf(looks.map(({ stall }) => stall)) },
    failures: isOne ? wrong : [...wrong, `one-file commits took ${renders.join(', ')} renders`],
    commits: looks.length,
  };
}
