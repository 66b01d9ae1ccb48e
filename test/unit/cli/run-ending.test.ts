import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { endOnCrash } from '../../../src/cli/end-on-crash.ts';
import { stopSignal } from '../../../src/cli/stop-signal.ts';
import { untilOver } from '../../../src/cli/until-over.ts';
import { SetpointError } from '../../../src/model/index.ts';
import { recordingLog } from '../../support/recording-log.ts';

/** One that hears what a process hears, and goes on after its exit. */
function fakeProcess(): { readonly process: EventEmitter & NodeJS.Process; readonly exits: readonly number[] } {
  const exits: number[] = [];
  const process = Object.assign(new EventEmitter(), { exit: (code: number) => exits.push(code) });
  return { process: process as unknown as EventEmitter & NodeJS.Process, exits };
}

const log = () => ({ ...recordingLog(), debug: () => undefined });
const never = new Promise<never>(() => undefined);
const forbidden = new SetpointError('Forbidden', 'list of leases is not allowed');

describe('a signal', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s asks to stop, and a second one ends at once', async (name) => {
    const { process, exits } = fakeProcess();
    const asked = stopSignal(process);
    process.emit(name, name);
    await expect(asked).resolves.toBe(name);
    expect(exits).toEqual([]);
    process.emit('SIGTERM', 'SIGTERM');
    expect(exits).toEqual([130]);
  });
});

describe('the agent', () => {
  test.each([
    ['asked to stop', { asked: async () => 'SIGTERM' as const, done: () => never }, 0],
    ['interrupted', { asked: async () => 'SIGINT' as const, done: () => never }, 130],
    ['done by itself', { asked: () => never, done: async () => undefined }, 0],
    ['unable to go on', { asked: () => never, done: () => Promise.reject(new Error('no more')) }, 2],
    ['no longer allowed', { asked: () => never, done: () => Promise.reject(forbidden) }, 4],
  ])('%s cleans up, and the process ends with its code', async (_name, { asked, done }, code) => {
    const stops: string[] = [];
    const stop = async (): Promise<void> => void stops.push('stopped');
    expect(await untilOver({ agent: { done: done(), stop }, asked: asked(), log: log() })).toBe(code);
    expect(stops).toEqual(['stopped']);
  });

  test('says why it ended by itself', async () => {
    const told = log();
    await untilOver({ agent: { done: Promise.reject(forbidden), stop: async () => undefined }, asked: never, log: told });
    expect(told.lines).toEqual([{ level: 'error', message: 'agent failed', fields: { code: 'Forbidden', reason: 'list of leases is not allowed' } }]);
  });

  test('that cannot stop cleanly ends with an error', async () => {
    const told = log();
    const stop = (): Promise<void> => Promise.reject(new Error('disk full'));
    expect(await untilOver({ agent: { done: never, stop }, asked: Promise.resolve('SIGTERM'), log: told })).toBe(2);
    expect(told.lines).toEqual([{ level: 'error', message: 'agent did not stop cleanly', fields: { code: 'Internal', reason: 'disk full' } }]);
  });
});

test.each(['uncaughtException', 'unhandledRejection'])('an %s is logged, and ends the process with 2 before anything else is said', (event) => {
  const { process, exits } = fakeProcess();
  const told = log();
  process.on(event, () => exits.length === 0 && told.info('said before'));
  endOnCrash(process, told);
  process.emit(event, new Error('broken'));
  expect(exits).toEqual([2]);
  expect(told.lines).toEqual([{ level: 'error', message: 'crashed', fields: { reason: 'broken', stack: expect.arrayContaining([expect.stringMatching(/^at /)]) as string[] } }]);
});
