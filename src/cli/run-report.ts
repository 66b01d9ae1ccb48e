import { displayKey, type Application, type AppStatus, type StepOutcome, type Verdict } from '../model/index.ts';
import type { Ports } from '../reconcile/index.ts';
import type { Log } from '../telemetry/index.ts';
import { treeOfChange } from './format/index.ts';
import type { Colors } from './output.ts';

interface ReportOptions {
  readonly write: (text: string) => void;
  readonly colors: Colors;
  readonly log: Log;
  readonly now: () => Date;
}

/** Tells a verdict when it changes, and is silent while it stays. */
export function createRunReport({ write, colors, log, now }: ReportOptions): Ports['report'] {
  let told = '';
  const line = (text: string): void => write(`${colors.dim(now().toTimeString().slice(0, 8))}  ${text}\n`);
  return {
    observed(application, status) {
      const text = describe(application, status, colors);
      if (text === told) return;
      told = text;
      line(text);
      const { verdict, commit } = status;
      const why = verdict.status === 'Unknown' ? { code: verdict.code, reason: verdict.message } : verdict;
      log.info('verdict', { application: application.name, status: verdict.status, commit, ...why });
    },
    synced(application, outcomes) {
      for (const outcome of outcomes) {
        line(`${application.name}  ${describeOutcome(outcome, colors)}`);
        log.info('step', { application: application.name, ...outcome });
      }
    },
  };
}

function describe(application: Application, status: AppStatus & { readonly verdict: Verdict }, colors: Colors): string {
  const { verdict, resources, declared, findings } = status;
  const at = status.commit === null ? application.source.revision : `${application.source.revision}@${status.commit.slice(0, 7)}`;
  const warnings = findings.map(({ severity, origin, message }) => `\n  ${colors.yellow('!')} ${origin}  ${severity}: ${message}`).join('');
  switch (verdict.status) {
    case 'Synced':
      return `${application.name}  ${colors.green('Synced')}  ${at}  ${declared} resources${warnings}`;
    case 'Unknown':
      return `${application.name}  ${colors.red('Unknown')}  ${at}  ${verdict.code}: ${verdict.message}${warnings}`;
    case 'OutOfSync': {
      const differing = resources.filter(({ cause }) => cause !== undefined);
      const count = `${differing.length + status.notListed} of ${declared} differ`;
      const details = resources.map((resource) => {
        const changes = (resource.changes ?? []).map((change) => treeOfChange(change, colors)).join('');
        const why = resource.type === 'missing' ? 'is not in the cluster' : (resource.message ?? '');
        return `\n  ${colors.yellow(resource.type === 'missing' ? '-' : '~')} ${displayKey(resource.key)}  ${why}\n${changes}`.trimEnd();
      });
      return `${application.name}  ${colors.yellow('OutOfSync')} (${verdict.cause})  ${at}  ${count}${details.join('')}${warnings}`;
    }
  }
}

function describeOutcome(outcome: StepOutcome, colors: Colors): string {
  const name = displayKey(outcome.key);
  switch (outcome.type) {
    case 'applied':
      return `${colors.green('applied')} ${name}`;
    case 'held':
      return `${colors.yellow('held')} ${name}: ${outcome.why}`;
    case 'failed':
      return `${colors.red('failed')} ${name}: ${outcome.why}`;
  }
}
