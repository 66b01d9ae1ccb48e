// The sources in → all that `npm pack` puts into the package and a clone does not have: the bundle and the render engine. npm runs it by itself.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildRenderEngine } from '../render-engine/build.ts';
import { bundleAgent } from './bundle.ts';

const renderEngine = join(import.meta.dirname, '..', 'dist', 'render-engine');

await bundleAgent();
const built = await buildRenderEngine();
await rm(renderEngine, { recursive: true, force: true });
await cp(built, renderEngine, { recursive: true });
