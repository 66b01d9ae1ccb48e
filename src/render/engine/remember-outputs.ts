import { createHash } from 'node:crypto';
import { parseJsonOrUndefined, stringifyJson, type Json } from '../../model/index.ts';
import type { ContentCache } from '../content-cache.ts';
import { holdsSecret } from '../holds-secret.ts';
import { recordTree, stillHolds, type Observation } from '../recorded-tree.ts';
import type { Engine, EngineOutput, EngineRequest } from './engine.ts';

interface Stored {
  readonly observations: readonly Observation[];
  readonly output: EngineOutput;
}

/** Keeps the last output of each request on disk, so that a restart renders only what has changed since. */
export function rememberOutputs(engine: Engine, cache: ContentCache): Engine {
  return {
    ...engine,
    async render(request, tree, signal) {
      const key = `render ${await engine.version()} ${nameOf(request)}`;
      const stored = readStored(await cache.get(key));
      if (stored !== undefined && (await stillHolds(stored.observations, tree))) return stored.output;
      const recorded = recordTree(tree);
      const output = await engine.render(request, recorded.tree, signal);
      if (!holdsSecret(output.text)) cache.replace(key, stringifyJson({ observations: recorded.observations(), output } as unknown as Json));
      return output;
    },
  };
}

function nameOf(request: EngineRequest): string {
  const named =
    request.type === 'helm'
      ? { ...request, valueFiles: request.valueFiles.map(({ name, content }) => [name, hashOf(content)]) }
      : { ...request, kustomization: request.kustomization && [request.kustomization.path, hashOf(request.kustomization.content)] };
  return hashOf(JSON.stringify(named));
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

type DeepPartial = { readonly observations?: unknown; readonly output?: { readonly text?: unknown; readonly origins?: unknown } } | null;

/** Anything but what was put there is as good as nothing. */
function readStored(text: string | undefined): Stored | undefined {
  const value = text === undefined ? undefined : (parseJsonOrUndefined(text) as unknown as DeepPartial | undefined);
  const { observations, output } = value ?? {};
  if (!Array.isArray(observations) || typeof output?.text !== 'string' || !Array.isArray(output.origins)) return undefined;
  // JSON has null for what is undefined in a list.
  return { observations: observations as readonly Observation[], output: { text: output.text, origins: output.origins.map((origin: string | null) => origin ?? undefined) } };
}
