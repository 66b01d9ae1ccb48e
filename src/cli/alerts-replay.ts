import { replayWishes } from './alerts-dead-letters.ts';
import { openAlertsSource, type AlertsPlaceFlags } from './alerts-place.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { printable } from './format/index.ts';
import { untilInterrupted } from './status-interrupt.ts';

export interface AlertsReplayFlags extends AlertsPlaceFlags {
  readonly id: string;
  readonly allNamespaces: boolean;
}

export async function runAlertsReplay(flags: AlertsReplayFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const { id, namespace, allNamespaces } = flags;
  const signal = untilInterrupted(process);
  await using source = await openAlertsSource(flags, { process });
  const wishes = replayWishes(await source.read({ namespace, allNamespaces }, signal), id, new Date());
  for (const { application, text, letters } of wishes) {
    await source.askForReplay(application, text, signal);
    for (const { notification, destination } of letters) output.write(`${printable(notification)} of ${printable(application)} will be sent to ${printable(destination)} again\n`);
  }
  finish(exitCode.done);
}
