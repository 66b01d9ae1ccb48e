import type { AppStatus, Operation, ResourceKey } from '../../../src/model/index.ts';
import type { Violated } from './witness.ts';

/** Holds writes against the operation that is on record, and operations against what was on record before. One for each Application. */
export interface OperationLedger {
  written(status: AppStatus): void;
  /** A write leaves its process; what is returned is called when it is carried out. */
  sent(key: ResourceKey): () => void;
}

interface Options {
  readonly id: string;
  /** Which ledger has seen which operation: shared by all of them. */
  readonly begun: Map<string, OperationLedger>;
  readonly violated: Violated;
}

export function createOperationLedger({ id, begun, violated }: Options): OperationLedger {
  const ended = new Set<string>();
  let current: Operation | null = null;
  let commit: string | null = null;
  let answered: AppStatus['answered'] = null;
  const carriedOut = new Map<string, string>();

  function checkNext(next: Operation, { history }: AppStatus): void {
    if (current !== null && current.id !== next.id && isUnderWay(current)) violated(`operation ${current.id} of ${id} is under way, and ${next.id} is on record in its place`);
    if ((begun.get(next.id) ?? ledger) !== ledger) violated(`operation ${next.id} is on record in ${id}, and was begun for another Application`);
    if (ended.has(next.id) && isUnderWay(next)) violated(`operation ${next.id} of ${id} has ended, and is under way again`);
    const { request } = next;
    const first = request === undefined ? next.id : (carriedOut.get(request.id) ?? next.id);
    if (first !== next.id) violated(`${request?.id} of ${id} is carried out by ${first}, and once more by ${next.id}`);
    if (isUnderWay(next) !== (next.endedAt === undefined)) violated(`operation ${next.id} of ${id} is ${next.state}, and is said to have ended at ${next.endedAt}`);
    if (!isUnderWay(next) && !ended.has(next.id) && history[0]?.operation !== next.id) violated(`operation ${next.id} of ${id} has ended, and is not in the history`);
  }

  /** What was asked for is carried out or refused with a reason, once. */
  function checkAnswer({ answered: next, operation }: AppStatus): void {
    if (next === null || next.request === answered?.request || next.message !== undefined) return;
    if (operation?.request?.id !== next.request) violated(`${next.request} of ${id} is answered, and no operation on record is for it`);
  }

  const ledger: OperationLedger = {
    written(status) {
      const { operation } = status;
      if (operation !== null) checkNext(operation, status);
      else if (current !== null) violated(`operation ${current.id} of ${id} is no longer on record`);
      const told = status.history.flatMap((entry) => entry.operation ?? []);
      if (new Set(told).size < told.length) violated(`an operation of ${id} is in the history twice`);
      checkAnswer(status);
      ({ commit, answered } = status);
      current = operation;
      if (operation === null) return;
      begun.set(operation.id, ledger);
      if (operation.request !== undefined) carriedOut.set(operation.request.id, operation.id);
      if (!isUnderWay(operation)) ended.add(operation.id);
    },
    sent(key) {
      const operation = current;
      if (operation === null || !isUnderWay(operation)) violated(`${key} of ${id} is applied, and no operation under way is on record`);
      else if (operation.revision !== commit) violated(`${key} of ${id} is applied at ${commit}, and the operation on record is for ${operation.revision}`);
      return () => {
        if (operation !== null && current?.id === operation.id && !isUnderWay(current)) violated(`${key} of ${id} is written after its operation ${operation.id} was recorded as ${current.state}`);
        if (operation !== null && current?.id !== operation.id) violated(`${key} of ${id} is written for operation ${operation.id}, and ${current?.id} is on record`);
      };
    },
  };
  return ledger;
}

export function isUnderWay({ state }: Operation): boolean {
  return state === 'running' || state === 'failing';
}
