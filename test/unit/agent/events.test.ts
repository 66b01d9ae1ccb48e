import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tellEvents } from '../../../src/agent/events.ts';
import { emptyStatus, namedApplication, type Verdict } from '../../../src/model/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const synced: Verdict = { status: 'Synced' };
const drift: Verdict = { status: 'OutOfSync', cause: 'live-changed' };

function scene() {
  const it = { told: [] as string[], mayWrite: true };
  const record = ({ regarding, reason }: { readonly regarding: { readonly name: string }; readonly reason: string }): Promise<void> => {
    it.told.push(`${regarding.name} ${reason}`);
    return Promise.resolve();
  };
  const mayWrite = (): void => {
    if (!it.mayWrite) throw new Error('another agent may lead by now');
  };
  const tell = tellEvents({ record }, { mayWrite, signal: new AbortController().signal });
  return Object.assign(it, { tell: (name: string, verdict: Verdict, before: Verdict | null) => tell(namedApplication(`shop/${name}`), { ...emptyStatus(name), verdict }, before) });
}

test('a verdict that became another one is told after a moment', () => {
  const it = scene();
  it.tell('web', drift, synced);
  it.tell('web', synced, drift);
  expect(it.told).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(it.told).toEqual(['web DriftDetected', 'web DriftResolved']);
});

test('a deploy that is over before it was told is told by its end', () => {
  const it = scene();
  it.tell('web', { status: 'OutOfSync', cause: 'git-ahead' }, synced);
  it.tell('web', synced, { status: 'OutOfSync', cause: 'git-ahead' });
  vi.advanceTimersByTime(2000);
  expect(it.told).toEqual(['web Synced']);
});

test('nothing is told by who may no longer write when it is due', () => {
  const it = scene();
  it.tell('web', drift, synced);
  it.mayWrite = false;
  vi.advanceTimersByTime(2000);
  expect(it.told).toEqual([]);
});

test('of a storm no more is told than fits into a minute', () => {
  const it = scene();
  for (let at = 0; at < 10_000; at += 1) it.tell(`web-${at}`, drift, synced);
  expect(vi.getTimerCount()).toBeLessThan(1300);
  vi.advanceTimersByTime(62_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(it.told.length).toBeGreaterThan(1100);
  it.tell('late', drift, synced);
  vi.advanceTimersByTime(2000);
  expect(it.told.at(-1)).toBe('late DriftDetected');
});
