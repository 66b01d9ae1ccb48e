import type { Report } from './report.ts';

const flag: readonly string[] = ['true', 'false'];

/** What can be said of a sync, and the values that mean something. */
const known: Readonly<Record<string, readonly string[]>> = {
  Adopt: flag,
  ApplyOutOfSyncOnly: flag,
  CreateNamespace: flag,
  Delete: ['true', 'false', 'confirm'],
  FailOnSharedResource: flag,
  Force: flag,
  Prune: ['true', 'false', 'confirm'],
  PruneLast: flag,
  PrunePropagationPolicy: ['foreground', 'background', 'orphan'],
  Replace: flag,
  RespectIgnoreDifferences: flag,
  ServerSideApply: flag,
  SkipDryRunOnMissingResource: flag,
  Validate: flag,
};

/** Those that mean something. The others are named by their place. */
export function readSyncOptions(options: readonly string[], at: string, report: Report): readonly string[] {
  return options.filter((option, index) => {
    const [name = '', value = ''] = option.split('=', 2);
    const values = Object.hasOwn(known, name) ? known[name] : undefined;
    if (values === undefined) report.warning(`${at}[${index}]`, 'is not a sync option that is known here, and has no effect');
    else if (!values.includes(value)) report.warning(`${at}[${index}]`, `has no effect: ${name} is ${values.join(' or ')}`);
    else if (option === 'Force=true') report.warning(`${at}[${index}]`, 'has no effect: only an object that says so itself, by the annotation setpoint.dev/sync-options, is deleted to be created again');
    else if (option === 'ServerSideApply=false') report.warning(`${at}[${index}]`, 'has no effect: objects are always applied server-side');
    else return true;
    return false;
  });
}
