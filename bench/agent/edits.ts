// Single edits by hand, and their undoing: from the edit to the verdict, next to a bare watch in the same edits.
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOptions, Figure } from '../bench.ts';
import { inMs } from '../source/timing.ts';
import { timeEdit, type Edit, type EditTimes } from './live-edit.ts';
import { spreadOf, spreadText, type Spread } from './spread.ts';
import type { World } from './world.ts';

const apartMs = 250;
const wanted = 3;

export async function measureEdits(world: World, { quick, verbose, say, print }: BenchOptions): Promise<readonly Figure[]> {
  const { shape, signal } = world;
  const stride = Math.max(1, Math.floor(shape.applications / shape.edits));
  const applications = Array.from({ length: shape.edits }, (_none, at) => (at * stride) % shape.applications);

  const timesOf = async (edit: Edit): Promise<readonly EditTimes[]> => {
    const under: Promise<EditTimes>[] = [];
    for (const application of applications) {
      const times = timeEdit(world, application, edit);
      // Reported when all are awaited, and not before.
      times.catch(() => undefined);
      under.push(times);
      await pause(apartMs, undefined, { signal });
    }
    return Promise.all(under);
  };
  const figuresOf = (times: readonly EditTimes[], what: string): readonly Figure[] => {
    if (verbose) for (const { sentAt, answeredAt, rawAt, verdictAt } of times) print(`  ${what}: answered ${inMs(answeredAt - sentAt)}, raw watch ${inMs(rawAt - sentAt)}, verdict ${inMs(verdictAt - sentAt)}`);
    const verdict = spreadOf(times.map(({ sentAt, verdictAt }) => verdictAt - sentAt));
    const raw = spreadOf(times.map(({ sentAt, rawAt }) => rawAt - sentAt));
    return [latency(what, verdict, raw), ratio(what, verdict, raw)];
  };
  const latency = (what: string, verdict: Spread, raw: Spread): Figure => ({
    what,
    value: spreadText(verdict),
    conditions: `${shape.edits} edits of one ConfigMap key in as many of ${shape.applications} applications, ${apartMs} ms apart, from the request sent to status.sync.status on a watch; raw watch on ConfigMaps in the same edits: ${spreadText(raw)}`,
  });
  const ratio = (what: string, verdict: Spread, raw: Spread): Figure => ({
    what: `${what} : raw watch`,
    value: `${(verdict.p50 / raw.p50).toFixed(1)} x`,
    conditions: 'p50 against p50, in the same edits and by the same client',
    target: { wanted: `<= ${wanted} x`, met: quick ? undefined : verdict.p50 <= wanted * raw.p50 },
  });

  say(`${shape.edits} edits by hand, and their undoing`);
  const changed = await timesOf('change');
  const undone = await timesOf('undo');
  return [...figuresOf(changed, 'live edit to OutOfSync'), ...figuresOf(undone, 'edit undone to Synced')];
}
