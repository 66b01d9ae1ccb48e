// What the election relies on, for every lease there is: the real one and the one of the simulation.
import { describe, expect, test } from 'vitest';
import type { LeaseClaim, LeasePort, LeaseRecord } from '../../../src/leader/index.ts';

export interface LeaseSubject {
  /** One that is not there yet. */
  readonly lease: LeasePort;
  /** Somebody changes something else about it. */
  touch(): Promise<void>;
  remove(): Promise<void>;
}

const signal = new AbortController().signal;
const claim: LeaseClaim = {
  holder: 'one',
  transitions: 7,
  durationSeconds: 15,
  renewTime: '2026-03-01T10:00:00.123Z',
  acquireTime: '2026-03-01T09:00:00.000Z',
};

export function describeLeasePort(name: string, open: () => Promise<LeaseSubject>): void {
  const made = async (): Promise<LeaseSubject & { readonly record: LeaseRecord }> => {
    const subject = await open();
    const written = await subject.lease.create(claim, signal);
    if (written.type !== 'written') throw new Error('the lease is there already');
    return { ...subject, record: written.record };
  };

  describe(`${name}, as a lease`, () => {
    test('is absent until it is made', async () => {
      const { lease } = await open();
      expect(await lease.read(signal)).toBeUndefined();
    });

    test('is read as it was made, and the answer to making it says the same', async () => {
      const { lease, record } = await made();
      expect(await lease.read(signal)).toEqual(record);
      expect(asClaim(record)).toEqual(claim);
    });

    test('is made once', async () => {
      const { lease, record } = await made();
      expect(await lease.create({ ...claim, holder: 'two' }, signal)).toEqual({ type: 'conflict' });
      expect(await lease.read(signal)).toEqual(record);
    });

    test('is changed by who knows its last version, and has another one then', async () => {
      const { lease, record } = await made();
      const written = await lease.update({ ...record, holder: 'two', transitions: 8 }, signal);
      const now = await lease.read(signal);
      expect(written).toEqual({ type: 'written', record: now });
      expect(now).toEqual({ ...record, holder: 'two', transitions: 8, version: expect.not.stringMatching(`^${record.version}$`) });
    });

    test('is not changed by who knows an earlier version', async () => {
      const { lease, record } = await made();
      await lease.update({ ...record, holder: 'two' }, signal);
      expect(await lease.update({ ...record, holder: 'three' }, signal)).toEqual({ type: 'conflict' });
      expect(await lease.read(signal)).toMatchObject({ holder: 'two' });
    });

    test('has another version also when it says the same as before', async () => {
      const { lease, record, touch } = await made();
      await touch();
      expect(asClaim(await lease.read(signal))).toEqual(claim);
      expect(await lease.update({ ...record, holder: 'two' }, signal)).toEqual({ type: 'conflict' });
    });

    test('of several that want it with the same version one gets it', async () => {
      const { lease, record } = await made();
      const written = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((holder) => lease.update({ ...record, holder }, signal)));
      expect(written.map(({ type }) => type).toSorted()).toEqual(['conflict', 'conflict', 'conflict', 'conflict', 'written']);
    });

    test('can be nobody’s', async () => {
      const { lease, record } = await made();
      await lease.update({ ...record, holder: '', durationSeconds: 1 }, signal);
      expect(await lease.read(signal)).toMatchObject({ holder: '', durationSeconds: 1, transitions: 7 });
    });

    test('that is gone is absent, is not changed, and can be made again', async () => {
      const { lease, record, remove } = await made();
      await remove();
      expect(await lease.read(signal)).toBeUndefined();
      expect(await lease.update(record, signal)).toEqual({ type: 'conflict' });
      expect(await lease.create(claim, signal)).toMatchObject({ type: 'written' });
    });
  });
}

/** Times by what they mean: the API server writes them with more digits. */
function asClaim(record: LeaseRecord | undefined): LeaseClaim | undefined {
  if (record === undefined) return undefined;
  const { version: _, renewTime, acquireTime, ...rest } = record;
  return { ...rest, renewTime: new Date(renewTime).toISOString(), acquireTime: new Date(acquireTime).toISOString() };
}
