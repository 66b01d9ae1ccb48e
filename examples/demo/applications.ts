// What `setpoint status -o json` and `setpoint history -o json` say of the applications of the demo.
import type { Commands } from './commands.ts';

export interface ApplicationView {
  readonly name: string;
  readonly sync: { readonly status: string; readonly cause: string | null; readonly since: string | null; readonly revision: string | null };
  readonly drift: { readonly by: readonly string[] };
}

interface Happening {
  readonly type: 'drift' | 'deploy' | 'sync';
  readonly resource?: string;
  readonly by?: string | null;
  readonly until?: string | null;
  readonly correctedAt?: string | null;
}

export async function readApplications({ read }: Commands): Promise<readonly ApplicationView[]> {
  return (JSON.parse(await read('setpoint status --state -o json')) as { items: readonly ApplicationView[] }).items;
}

export async function readHistory({ read }: Commands, name: string): Promise<readonly Happening[]> {
  return (JSON.parse(await read(`setpoint history ${name} --state -o json`)) as { items: readonly Happening[] }).items;
}

/** In one line for people: `web OutOfSync, search Synced`. */
export function verdicts(applications: readonly ApplicationView[]): string {
  return applications.map(({ name, sync }) => `${name} ${sync.status}`).join(', ');
}
