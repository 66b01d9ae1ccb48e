import { afterAll, beforeAll, describe } from 'vitest';
import { buildRenderEngine } from '../../render-engine/build.ts';
import { createBinaryEngine } from '../../src/render/engine/binaries/binary-engine.ts';
import { createWasmEngine } from '../../src/render/engine/wasm/index.ts';
import { renderBinaries, type RenderBinaries } from '../support/render-binaries.ts';
import { testRenderEngine } from './render-engine.ts';

describe('the engine of binaries', () => {
  let binaries: RenderBinaries | undefined;
  beforeAll(async () => {
    binaries = await renderBinaries();
  });
  afterAll(() => binaries?.[Symbol.asyncDispose]());

  testRenderEngine((limits) => createBinaryEngine({ path: [binaries?.folder ?? '', '/usr/bin', '/bin'], limits: { graceMs: 200, ...limits } }));
});

describe('the engine in WebAssembly', () => {
  beforeAll(async () => {
    await buildRenderEngine();
  }, 10 * 60_000);

  testRenderEngine((limits) => createWasmEngine(limits));
});
