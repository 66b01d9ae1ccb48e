import { expect, test } from 'vitest';
import { createDestinationRecord } from '../../../src/agent/destination-record.ts';
import { manualClock } from '../../support/manual-clock.ts';

const minutes = 60_000;

function createScene() {
  const clock = manualClock(undefined, Date.parse('2026-11-16T10:00:00Z'));
  const told: string[] = [];
  const record = createDestinationRecord(['chat', 'pager'], {
    clock,
    log: { error: () => undefined, info: () => undefined },
    onTrouble: (name, { since, why, isOver }) => void told.push(`${name} ${isOver ? 'works' : 'fails'} since ${since.toISOString().slice(11, 16)} ${why ?? ''}`.trim()),
  });
  const fail = (times: number): void => {
    for (let at = 0; at < times; at += 1) record.attempted('chat', 'failed', 'HTTP 500');
  };
  return { clock, told, record, fail };
}

test('a destination that fails is named after fifteen minutes, though nothing is tried then, and once', async () => {
  const { clock, told, fail } = createScene();
  fail(4);
  await clock.pass(14 * minutes);
  expect(told).toEqual([]);
  await clock.pass(1 * minutes);
  expect(told).toEqual(['chat fails since 10:00 HTTP 500']);
  fail(3);
  await clock.pass(60 * minutes);
  expect(told).toHaveLength(1);
});

test('one message that is refused does not make a failing destination', async () => {
  const { clock, told, fail } = createScene();
  fail(1);
  await clock.pass(60 * minutes);
  expect(told).toEqual([]);
  fail(2);
  expect(told).toEqual(['chat fails since 10:00 HTTP 500']);
});

test('that it works again is told where it was told that it fails', async () => {
  const { clock, told, record, fail } = createScene();
  fail(3);
  record.attempted('chat', 'sent', undefined);
  await clock.pass(60 * minutes);
  expect(told).toEqual([]);
  fail(3);
  await clock.pass(15 * minutes);
  record.attempted('chat', 'sent', undefined);
  expect(told).toEqual(['chat fails since 11:00 HTTP 500', 'chat works since 11:00']);
  expect(record.samples()).toMatchObject([{ destination: 'chat', failingSince: undefined }, { destination: 'pager', lastSuccess: undefined }]);
});

test('the metric of a failing destination is about as many attempts as its name: one message that is refused is a dead letter and no outage', async () => {
  const { clock, record, fail } = createScene();
  const since = clock.now();
  fail(2);
  await clock.pass(60 * minutes);
  expect(record.samples()[0]).toMatchObject({ destination: 'chat', failingSince: undefined });
  fail(1);
  expect(record.samples()[0]).toMatchObject({ destination: 'chat', failingSince: since });
});
