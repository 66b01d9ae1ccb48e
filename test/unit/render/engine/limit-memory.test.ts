import { describe, expect, test } from 'vitest';
import { limitMemory } from '../../../../render-engine/limit-memory.ts';
import { webAssembly } from '../../../../src/render/engine/wasm/web-assembly.ts';

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const custom = [0, 3, 1, 0x78, 0];
const mebibyte = 1024 * 1024;

/** A module with a memory and an export of it, `m`. */
function moduleWith(memory: readonly number[]): Uint8Array {
  const exported = [7, 5, 1, 1, 0x6d, 2, 0];
  return Uint8Array.from([...header, ...custom, 5, memory.length, ...memory, ...exported]);
}

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

async function memoryOf(module: Uint8Array): Promise<Memory> {
  const instance = (await webAssembly.instantiate(await webAssembly.compile(module), {})) as unknown as { readonly exports: { readonly m: Memory } };
  return instance.exports.m;
}

describe('a module whose memory is limited', () => {
  test.each([
    { initial: [2], pages: 2, maximum: mebibyte },
    { initial: [0xc8, 0x01], pages: 200, maximum: 256 * mebibyte },
  ])('starts with its $pages pages and grows to $maximum bytes and no further', async ({ initial, pages, maximum }) => {
    const memory = await memoryOf(limitMemory(moduleWith([1, 0, ...initial]), maximum));
    expect(memory.buffer.byteLength).toBe(pages * 65_536);
    memory.grow(maximum / 65_536 - pages);
    expect(memory.buffer.byteLength).toBe(maximum);
    expect(() => memory.grow(1)).toThrow(RangeError);
  });
});

test.each([
  { name: 'has a maximum already', module: moduleWith([1, 1, 1, 2]), says: /without a maximum/ },
  { name: 'starts with more', module: moduleWith([1, 0, 100]), says: /starts with 100 pages/ },
  { name: 'has no memory', module: Uint8Array.from([...header, ...custom]), says: /no memory section/ },
  { name: 'is cut short', module: Uint8Array.from([...header, 5, 0x80]), says: /cut short/ },
])('a module that $name is refused', ({ module, says }) => {
  expect(() => limitMemory(module, mebibyte)).toThrow(says);
});
