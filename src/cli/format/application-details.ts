import { displayKey, type AppStatus, type Condition, type Episode, type HistoryEntry, type ResourceStatus } from '../../model/index.ts';
import type { Colors } from '../output.ts';
import { differing, isDecayed, sinceOf, type StatusItem } from '../status-item.ts';
import { age } from './application-age.ts';
import { paintOf } from './application-table.ts';
import { commandText, heldLines, operationText } from './plan-operation.ts';
import { oneLine, printable } from './printable.ts';

interface DetailsOptions {
  readonly colors: Colors;
  readonly now: Date;
}

/** All that is known of one application, for people. */
export function applicationDetails(item: StatusItem, options: DetailsOptions): string {
  const { colors, now } = options;
  const { status, source, pause, notes } = item;
  const open = status.episodes.filter(({ closedAt }) => closedAt === null);
  return [
    headline(item, options),
    ...(source === undefined ? [] : [`  ${colors.dim('source')}  ${printable(source.repository)}${source.path === undefined ? '' : `  ${printable(source.path)}`}`]),
    ...(pause === undefined ? [] : [`  ${colors.yellow('paused')}  until ${printable(pause.until ?? 'setpoint resume')}${pause.reason === undefined ? '' : `: ${oneLine(pause.reason)}`}`]),
    ...notes.map((note) => `  ${colors.yellow('!')} ${oneLine(note)}`),
    ...mattering(status.conditions).map(({ type, message, reason }) => `  ${colors.yellow('!')} ${printable(type)}  ${oneLine(message || reason)}`),
    ...healthOf(status, options),
    ...(status.operation === null ? [] : [`  ${colors.dim('sync')}    ${operationText(status.operation)}`]),
    ...resourcesOf(item, options),
    ...(status.held.length === 0 ? [] : ['', `${status.held.length} held`, ...heldLines(status.held, item)]),
    ...(open.length === 0 ? [] : ['', `${open.length} open episode${open.length === 1 ? '' : 's'}`, ...open.map((episode) => episodeLine(episode, now))]),
    ...lastSync(status.history, now),
    ...nextCommand(item),
    '',
  ].join('\n');
}

function headline(item: StatusItem, { colors, now }: DetailsOptions): string {
  const { verdict, status, revision, mode, vouchedAt, vouchedBy } = item;
  const since = sinceOf(item);
  const parts = [
    colors.bold(printable(item.id)),
    paintOf(item, colors)(verdict.status) + (verdict.status === 'OutOfSync' ? ` (${verdict.cause})` : ''),
    ...(since === undefined || isDecayed(item) ? [] : [`for ${age(since, now)}`]),
    ...(revision === undefined ? [] : [printable(revision)]),
    ...(mode === undefined ? [] : [mode]),
    ...(verdict.status === 'Unknown' ? [] : [`${differing(item).count} of ${status.declared} resources differ`]),
    ...(vouchedAt === undefined ? [] : [colors.dim(`${vouchedBy === 'agent' ? 'checked' : 'written'} ${age(vouchedAt, now)} ago`)]),
  ];
  return parts.join('  ') + (verdict.status === 'Unknown' ? `\n  ${colors.red('✗')} ${verdict.code}: ${oneLine(verdict.message)}` : '');
}

function healthOf({ health, unhealthy }: AppStatus, { colors, now }: DetailsOptions): readonly string[] {
  if (health === null) return [];
  const ill = unhealthy.map(({ key, status, message, since }) => `    ${printable(displayKey(key))}  ${status} for ${age(new Date(since), now)}${message === undefined ? '' : `: ${oneLine(message)}`}`);
  return [`  ${colors.dim('health')}  ${health.status}${health.message === undefined ? '' : `: ${oneLine(health.message)}`}`, ...ill];
}

/** What somebody who reads this probably types next. */
function nextCommand(item: StatusItem): readonly string[] {
  const { verdict, mode, status, kept } = item;
  const isUnderWay = status.operation?.state === 'running' || status.operation?.state === 'failing';
  if (isUnderWay) return ['', `end it: ${commandText('terminate', item)}`];
  if (verdict.status !== 'OutOfSync') return [];
  if (mode === 'paused') return ['', `go on: ${commandText('resume', item)}`];
  return ['', `sync it: ${commandText('sync', item)}${kept === 'cluster' ? ' --dry-run, and then without' : ''}`];
}

/** `Synced` says what the headline says; the others matter while they hold. */
function mattering(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.filter(({ type, status }) => status === 'True' && type !== 'Synced' && type !== 'Healthy' && type !== 'Paused');
}

function resourcesOf({ status }: StatusItem, { colors, now }: DetailsOptions): readonly string[] {
  if (status.resources.length === 0) return [];
  const lines = status.resources.flatMap((resource) => [
    `${colors.yellow(signOf(resource))} ${colors.bold(printable(displayKey(resource.key)))}  ${aboutResource(resource, now)}`,
    ...(resource.message === undefined ? [] : [`    ${oneLine(resource.message)}`]),
    ...(resource.fields ?? []).map((field) => `    ${printable(field)}`),
  ]);
  return ['', ...lines, ...(status.notListed === 0 ? [] : [colors.dim(`and ${status.notListed} more`)])];
}

function signOf({ type, cause }: ResourceStatus): string {
  if (cause === undefined) return '?';
  return type === 'missing' ? '-' : type === 'terminating' ? 'x' : '~';
}

function aboutResource({ type, cause, since, by }: ResourceStatus, now: Date): string {
  const words = [type, ...(cause === undefined ? [] : [`(${cause})`]), `for ${age(new Date(since), now)}`, ...(by === undefined ? [] : [`by ${printable(by)}`])];
  return words.join(' ');
}

function episodeLine({ id, key, cause, openedAt, by, correctedAt }: Episode, now: Date): string {
  const what = key === '*' ? 'resources that are not listed' : printable(displayKey(key));
  const who = by === undefined ? '' : ` by ${printable(by)}`;
  const corrected = correctedAt === undefined ? '' : `, corrected ${age(new Date(correctedAt), now)} ago`;
  return `  ${printable(id)}  ${cause} for ${age(new Date(openedAt), now)}  ${what}${who}${corrected}`;
}

function lastSync(history: AppStatus['history'], now: Date): readonly string[] {
  const [last] = history;
  return last === undefined ? [] : ['', `last sync ${last.type === undefined ? '' : `(${last.type}) `}${age(new Date(last.at), now)} ago: ${syncText(last)}`];
}

/** `3 applied, 1 failed at 4e9c917` */
export function syncText({ applied, pruned = 0, held, failed, revision, state }: HistoryEntry): string {
  const counts = Object.entries({ applied, pruned, held, failed }).filter(([, count]) => count > 0);
  const what = counts.map(([word, count]) => `${count} ${word}`).join(', ') || 'nothing to apply';
  const ended = state === 'terminated' ? `${what}, then ended` : what;
  return revision === null ? ended : `${ended} at ${printable(revision.slice(0, 7))}`;
}
