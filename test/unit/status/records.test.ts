import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { emptyStatus, stringifyJson, type AgreedStates, type AppStatus, type Inventory, type JsonObject } from '../../../src/model/index.ts';
import { applicationStatus } from '../../../src/status/application-status.ts';
import { readApplicationStatus } from '../../../src/status/index.ts';

const now = new Date('2026-01-01T00:00:00Z');
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyOf = (at: number): string => `apps/Deployment/team-${at % 97}/service-${at}`;

/** UIDs and hashes are as random as the real ones: nothing compresses them. */
function inventoryOf(count: number, nameOf = keyOf): Inventory {
  const uid = (at: number): string => hash(`uid ${at}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [nameOf(at), { uid: uid(at), version: 'v1' }]));
}

function agreedOf(count: number, leaves = 20): AgreedStates {
  const live = (at: number): JsonObject => Object.fromEntries(Array.from({ length: leaves }, (_, leaf) => [`/spec/field-${leaf}`, hash(`${at} ${leaf}`).slice(0, 16)]));
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [keyOf(at), { desired: hash(`d ${at}`).slice(0, 16), live: live(at) }])) as AgreedStates;
}

/** As the agent writes it, and as the one after it reads it. */
function stored(records: Partial<AppStatus>): { readonly size: number; readonly reasons: readonly string[]; readonly read: AppStatus } {
  const written = applicationStatus({ ...emptyStatus('ns/web'), ...records }, undefined, now);
  const read = readApplicationStatus('ns/web', written);
  return { size: stringifyJson(written).length, reasons: read.conditions.map(({ type, reason }) => `${type} ${reason}`), read };
}

describe('what was applied', () => {
  test('is on record with its UIDs while there is room for them', () => {
    const inventory = inventoryOf(10_000);
    expect(stored({ inventory })).toMatchObject({ reasons: [], read: { inventory } });
  });

  test('is on record without them where there is not, so that only what bears our mark is ours', () => {
    const { read, reasons } = stored({ inventory: inventoryOf(30_000) });
    expect(reasons).toEqual([]);
    expect(Object.keys(read.inventory)).toHaveLength(30_000);
    expect(new Set(Object.values(read.inventory).map(({ uid, version }) => `${uid} ${version}`))).toEqual(new Set([' v1']));
  });

  test('is not on record where names alone take all the room, which is said, and nothing is deleted', () => {
    const { read, reasons, size } = stored({ inventory: inventoryOf(40_000, (at) => `/ConfigMap/shop/${hash(String(at))}`) });
    expect(reasons).toEqual(['RecordsTruncated InventoryTooLarge']);
    expect(read.inventory).toEqual({});
    expect(size).toBeLessThan(1_300_000);
  });
});

describe('what was agreed on', () => {
  test('has what the inventory leaves', () => {
    const { read, reasons } = stored({ inventory: inventoryOf(10_000), agreed: agreedOf(10_000, 6) });
    expect(reasons).toEqual([]);
    expect(new Set(Object.values(read.agreed).map(({ live }) => Object.keys(live).length))).toEqual(new Set([0]));
    expect(Object.keys(read.agreed)).toHaveLength(10_000);
  });

  test('is not on record where that is not enough, which is said', () => {
    expect(stored({ agreed: agreedOf(40_000, 1) })).toMatchObject({ reasons: ['RecordsTruncated MemoryTooLarge'], read: { agreed: {} } });
  });
});

test('a status of 40,000 resources is one that the server takes', () => {
  const { size, read } = stored({ inventory: inventoryOf(40_000), agreed: agreedOf(40_000, 5) });
  expect(size).toBeLessThan(1_300_000);
  expect(Object.keys(read.inventory)).toHaveLength(40_000);
});

test('a record that cannot be read is none', () => {
  expect(readApplicationStatus('ns/web', { inventory: 'bm90aGluZw==', memory: 'bm90aGluZw==' })).toMatchObject({ inventory: {}, agreed: {} });
});
