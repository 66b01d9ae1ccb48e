import { canonicalJson, displayKey, mainSource, shownRevision, type Application, type AppStatus, type ResourceKey, type ResourceStatus, type StepOutcome, type Verdict } from '../model/index.ts';
import type { Ports } from '../reconcile/index.ts';
import type { Log } from '../telemetry/index.ts';
import { countByHand, oneLine, printable, treeOfChange, treeOfForeign } from './format/index.ts';
import type { Colors } from './output.ts';

interface ReportOptions {
  readonly write: (text: string) => void;
  readonly colors: Colors;
  readonly log: Log;
  readonly now: () => Date;
}

const listedLeft = 50;

/** Tells a verdict when it changes, and is silent while it stays. */
export function createRunReport({ write, colors, log, now }: ReportOptions): Ports['report'] {
  const told = new Map<string, string>();
  const refusals = new Map<string, ReadonlyMap<ResourceKey, string>>();
  const line = (text: string): void => write(`${colors.dim(now().toTimeString().slice(0, 8))}  ${text}\n`);
  return {
    observed(application, status) {
      const news = newsOf(status);
      if (news === told.get(application.id)) return;
      told.set(application.id, news);
      line(describe(application, status, colors));
      const { verdict, commit } = status;
      const why = verdict.status === 'Unknown' ? { code: verdict.code, reason: verdict.message } : verdict;
      log.info('verdict', { application: application.id, status: verdict.status, commit, ...why });
    },
    synced(application, outcomes) {
      const refused = new Map(outcomes.flatMap((outcome) => ('why' in outcome ? [[outcome.key, outcome.why]] : [])));
      for (const outcome of outcomes) {
        // A refusal stays one at every look; it is told when it is new, or for a new reason.
        if ('why' in outcome && refusals.get(application.id)?.get(outcome.key) === outcome.why) continue;
        line(`${application.id}  ${describeOutcome(outcome, colors)}`);
        log.info('step', { application: application.id, ...outcome });
      }
      refusals.set(application.id, refused);
    },
    left(application, { left, why }) {
      line(`${application.id}  was deleted, and ${left.length} of its objects ${left.length === 1 ? 'is' : 'are'} left${why === '' ? '' : ` (${oneLine(why)})`}: ${printable(left.map(displayKey).join(', '))}`);
      log.warn('objects are left of a deleted application', { application: application.id, count: left.length, left: left.slice(0, listedLeft).join(' '), reason: why });
    },
  };
}

/** What is worth a new line: owners and times are not, or a busy controller would fill the screen. */
function newsOf({ verdict, commit, declared, resources, foreign, findings }: AppStatus): string {
  const differing = resources.map(({ key, type, cause, message, changes = [] }) => [
    key,
    type,
    cause ?? null,
    message ?? null,
    changes.map(({ path, live = null, desired = null, standing = null }) => [path, live, desired, standing]),
  ]);
  const added = foreign.map(({ key, path, live }) => [key, path, live]);
  return canonicalJson([{ ...verdict }, commit, declared, differing, added, findings.map((finding) => ({ ...finding }))]);
}

function describe(application: Application, status: AppStatus & { readonly verdict: Verdict }, colors: Colors): string {
  const { verdict, resources, declared, findings } = status;
  // What cannot be read has no source.
  const revision = application.sources.length === 0 ? '-' : mainSource(application).revision;
  const at = shownRevision(status) ?? revision;
  const warnings = findings.map(({ severity, origin, message }) => `\n  ${colors.yellow('!')} ${printable(origin)}  ${severity}: ${oneLine(message)}`).join('');
  switch (verdict.status) {
    case 'Synced':
      return `${application.id}  ${colors.green('Synced')}  ${at}  ${declared} resources${describeForeign(status, colors)}${warnings}`;
    case 'Unknown':
      return `${application.id}  ${colors.red('Unknown')}  ${at}  ${verdict.code}: ${oneLine(verdict.message)}${warnings}`;
    case 'OutOfSync': {
      const differing = resources.filter(({ cause }) => cause !== undefined);
      const count = `${differing.length + status.notListed} of ${declared} differ`;
      const details = resources.map((resource) => {
        const changes = (resource.changes ?? []).map((change) => treeOfChange(change, { colors })).join('');
        const { sign, why } = headOf(resource);
        const head = `${colors.yellow(sign)} ${printable(displayKey(resource.key))}  ${why}`.trimEnd();
        return `\n  ${head}\n${changes}`.trimEnd();
      });
      return `${application.id}  ${colors.yellow('OutOfSync')} (${verdict.cause})  ${at}  ${count}${details.join('')}${describeForeign(status, colors)}${warnings}`;
    }
  }
}

function headOf({ type, message = '' }: ResourceStatus): { readonly sign: string; readonly why: string } {
  if (type === 'missing') return { sign: '-', why: 'is not in the cluster' };
  if (type === 'terminating') return { sign: 'x', why: oneLine(message) };
  return { sign: '~', why: oneLine(message) };
}

function describeForeign({ foreign }: AppStatus, colors: Colors): string {
  if (foreign.length === 0) return '';
  const fields = foreign.map((field) => `\n  ${colors.cyan('*')} ${printable(displayKey(field.key))}\n${treeOfForeign(field, { colors })}`.trimEnd());
  return `\n  ${colors.cyan(countByHand(foreign.length))}${fields.join('')}`;
}

function describeOutcome(outcome: StepOutcome, colors: Colors): string {
  const name = printable(displayKey(outcome.key));
  switch (outcome.type) {
    case 'applied':
      return `${colors.green('applied')} ${name}`;
    case 'pruned':
      return `${colors.green('deleted')} ${name}`;
    case 'held':
      return `${colors.yellow('held')} ${name}: ${oneLine(outcome.why)}`;
    case 'failed':
      return `${colors.red('failed')} ${name}: ${oneLine(outcome.why)}`;
  }
}
