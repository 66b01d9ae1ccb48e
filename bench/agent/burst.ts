// Edits in many applications at once.
import type { BenchOptions, Figure } from '../bench.ts';
import { inMs } from '../source/timing.ts';
import { connections } from './api-client.ts';
import { timeEdit, type Edit } from './live-edit.ts';
import type { World } from './world.ts';

const wantedMs = 1500;

export async function measureBurst(world: World, { quick, say }: BenchOptions): Promise<readonly Figure[]> {
  const { shape } = world;
  const applications = Array.from({ length: shape.burst }, (_none, at) => shape.applications - 1 - at);
  const burst = async (edit: Edit): Promise<{ readonly verdictMs: number; readonly rawMs: number; readonly answeredMs: number }> => {
    const started = performance.now();
    const times = await Promise.all(applications.map((application) => timeEdit(world, application, edit)));
    const last = (moments: readonly number[]): number => Math.max(...moments) - started;
    return { verdictMs: last(times.map(({ verdictAt }) => verdictAt)), rawMs: last(times.map(({ rawAt }) => rawAt)), answeredMs: last(times.map(({ answeredAt }) => answeredAt)) };
  };
  const figureOf = ({ verdictMs, rawMs, answeredMs }: Awaited<ReturnType<typeof burst>>, what: string): Figure => ({
    what,
    value: inMs(verdictMs),
    conditions: `from the first request sent to the last status; ${connections} connections; the last edit was answered after ${inMs(answeredMs)} and seen on the raw watch after ${inMs(rawMs)}`,
    target: { wanted: `< ${wantedMs} ms`, met: quick ? undefined : verdictMs < wantedMs },
  });
  say(`${shape.burst} edits at once, and their undoing`);
  const changed = await burst('change');
  const undone = await burst('undo');
  return [figureOf(changed, `${shape.burst} edits at once to all OutOfSync`), figureOf(undone, `${shape.burst} undone at once to all Synced`)];
}
