import type { JsonObject } from '../model/index.ts';
import { commandText, doneText, heldLines } from './format/plan-operation.ts';
import { oneLine, printable } from './format/index.ts';
import type { StatusItem } from './status-item.ts';
import { isElsewhere, leftUndone, type SyncStanding } from './sync-standing.ts';

export interface SyncEnd {
  readonly item: StatusItem;
  readonly standing: SyncStanding;
  /** As the user gave it, where the time is up. */
  readonly timedOut?: string;
}

/** How it went, for people: one sentence, and what was left undone. */
export function syncEndText({ item, standing, timedOut }: SyncEnd): string {
  const name = printable(item.id);
  switch (standing.type) {
    case 'unanswered':
      return `${name} is not synced after ${timedOut ?? ''}: ${whyUnanswered(item)}\n`;
    case 'refused': {
      const approve = standing.approve === undefined ? '' : `: it is ${printable(standing.approve)}\n  the same command with --approve ${printable(standing.approve)} has exactly that done`;
      return `${name} is not synced: ${oneLine(standing.message)}${approve}\n`;
    }
    case 'followed':
      return `${name}: the sync was begun, and another one has followed it: ${commandText('history', item)}\n`;
    case 'running': {
      const { message } = standing.operation;
      const what = message === undefined ? '' : `: ${oneLine(message)}`;
      return timedOut === undefined ? `${name}: the sync has begun${what}\n  see how it goes on: ${commandText('status', item)}\n` : `${name}: the sync goes on after ${timedOut}${what}\n  end it: ${commandText('terminate', item)}\n`;
    }
    case 'ended':
      return endText(standing.operation, item, timedOut);
  }
}

function endText(operation: Extract<SyncStanding, { readonly type: 'ended' }>['operation'], item: StatusItem, timedOut: string | undefined): string {
  const { state, message, revision } = operation;
  const name = printable(item.id);
  if (state !== 'succeeded') return `${name}: the sync ${state === 'terminated' ? 'was ended' : 'failed'}${message === undefined ? '' : `: ${oneLine(message)}`} (${doneText(operation)})\n`;
  const { health } = item.status;
  const well = health === null ? '' : timedOut === undefined ? `; ${health.status}` : `; still ${health.status} after ${timedOut}${health.message === undefined ? '' : `: ${oneLine(health.message)}`}`;
  const held = leftUndone(item.status);
  const undone = held.length === 0 ? '' : `${held.length} held\n${heldLines(held, item).join('\n')}\n`;
  const instead = isElsewhere(operation) ? `, and not to ${printable(operation.request?.revision ?? '')}` : '';
  return `${name} was synced${revision === null ? '' : ` to ${printable(revision.slice(0, 7))}`}${instead}: ${doneText(operation)}${well}\n${undone}`;
}

/** An agent that is not there, one that cannot look, or one that is busy. */
function whyUnanswered({ status, verdict }: StatusItem): string {
  if (verdict.status === 'Unknown') return `the agent has not answered; it is Unknown: ${oneLine(verdict.message)}`;
  if (status.operation?.state === 'running' || status.operation?.state === 'failing') return 'it waits for the sync under way';
  return 'the agent has not answered: is it running? setpoint doctor tells';
}

/** The versioned document of `setpoint sync -o json`. */
export function syncReport({ item, standing, timedOut }: SyncEnd, request: string): JsonObject {
  const { id, status } = item;
  const operation = 'operation' in standing ? standing.operation : null;
  return {
    apiVersion: 'setpoint.dev/v1',
    kind: 'SyncReport',
    application: id,
    request,
    outcome: standing.type === 'ended' && operation !== null ? operation.state : standing.type,
    timedOut: timedOut !== undefined,
    message: standing.type === 'refused' ? standing.message : (operation?.message ?? null),
    approve: standing.type === 'refused' ? (standing.approve ?? null) : null,
    operation: operation as unknown as JsonObject | null,
    health: status.health as unknown as JsonObject | null,
    held: status.held as unknown as JsonObject[],
  };
}
