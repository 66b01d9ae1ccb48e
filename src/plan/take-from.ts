import type { Application } from '../model/index.ts';
import type { Marks } from './read-marks.ts';
import { optionOf } from './sync-options.ts';

interface Taker {
  readonly application: Pick<Application, 'syncOptions'>;
  readonly goneApplications?: ReadonlySet<string> | undefined;
}

/** What is said of objects that others applied: `true`, or the one application that it is taken from. */
export function adoption({ options }: Pick<Marks, 'options'>, { syncOptions }: Pick<Application, 'syncOptions'>): string | undefined {
  return optionOf('Adopt', options, syncOptions);
}

/** Whether an object is ours from now on though another application marked it: one that is gone, or that is named. */
export function mayTakeFrom(owner: string, marks: Pick<Marks, 'options'>, { application, goneApplications }: Taker): boolean {
  const said = adoption(marks, application);
  return said === owner || (said === 'true' && goneApplications?.has(owner) === true);
}
