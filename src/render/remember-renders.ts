import { canonicalJson, retryOf, SetpointError, type Json } from '../model/index.ts';
import type { Rendered } from './documents.ts';
import { recordTree, stillHolds, type Observation } from './recorded-tree.ts';
import type { Capabilities, OpenSource, RenderContext, Renderer } from './renderer.ts';

type Outcome = { readonly type: 'rendered'; readonly rendered: Rendered } | { readonly type: 'failed'; readonly error: SetpointError; readonly until: number };

interface Remembered {
  /** All that was asked for, files aside. */
  readonly options: string;
  readonly commits: readonly (string | undefined)[];
  readonly observations: readonly (readonly Observation[])[];
  readonly capabilities: string | undefined;
  readonly outcome: Outcome;
}

// A chart that runs for ever must not do so at every look; one that was slow because the machine was gets another try.
const timeoutStandsMs = 10 * 60_000;

/**
 * Renders an application again only when something that its last render really looked at is different: the very same value
 * comes back otherwise, or the same error. Keeps one result per application.
 */
export function rememberRenders(renderer: Renderer, now: () => number = () => performance.now()): Renderer {
  const last = new Map<string, Remembered>();
  return {
    async render(sources, context, signal) {
      const key = context.id ?? context.name;
      const options = optionsOf(sources, context);
      const commits = sources.map(({ commit }) => commit);
      const remembered = last.get(key);
      if (remembered !== undefined && remembered.options === options && stands(remembered.outcome, now()) && (await isUnchanged(remembered, sources, context))) {
        last.set(key, { ...remembered, commits });
        return result(remembered.outcome);
      }
      last.delete(key);
      const recorded = sources.map(({ tree, ...source }) => ({ ...source, ...recordTree(tree) }));
      const { capabilities, asked, failed } = recordCapabilities(context);
      const outcome = await attempt(() => renderer.render(recorded, { ...context, capabilities }, signal), now);
      // What the cluster refuses today is no answer for tomorrow.
      if (failed()) return result(outcome);
      last.set(key, { options, commits, observations: recorded.map(({ observations }) => observations()), capabilities: asked(), outcome });
      return result(outcome);
    },
    close: () => renderer.close(),
  };
}

/** Failures that may heal by themselves are thrown as they are, and not remembered. */
async function attempt(render: () => Promise<Rendered>, now: () => number): Promise<Outcome> {
  try {
    return { type: 'rendered', rendered: await render() };
  } catch (error) {
    if (!(error instanceof SetpointError)) throw error;
    if (error.code === 'RenderTimeout') return { type: 'failed', error, until: now() + timeoutStandsMs };
    if (retryOf(error.code) === 'later' || error.code === 'RendererMissing') throw error;
    return { type: 'failed', error, until: Infinity };
  }
}

function stands(outcome: Outcome, now: number): boolean {
  return outcome.type === 'rendered' || now < outcome.until;
}

function result(outcome: Outcome): Rendered {
  if (outcome.type === 'failed') throw outcome.error;
  return outcome.rendered;
}

async function isUnchanged(remembered: Remembered, sources: readonly OpenSource[], { capabilities }: RenderContext): Promise<boolean> {
  for (const [at, { tree, commit }] of sources.entries()) {
    const isSameTree = commit !== undefined && commit === remembered.commits[at];
    if (!isSameTree && !(await stillHolds(remembered.observations[at] ?? [], tree))) return false;
  }
  return remembered.capabilities === undefined || (capabilities !== undefined && describe(await capabilities()) === remembered.capabilities);
}

interface RecordedCapabilities {
  readonly capabilities: RenderContext['capabilities'];
  readonly asked: () => string | undefined;
  readonly failed: () => boolean;
}

function recordCapabilities({ capabilities }: RenderContext): RecordedCapabilities {
  let answered: string | undefined;
  let failed = false;
  if (capabilities === undefined) return { capabilities, asked: () => undefined, failed: () => false };
  return {
    async capabilities() {
      try {
        const answer = await capabilities();
        answered = describe(answer);
        return answer;
      } catch (error) {
        failed = true;
        throw error;
      }
    },
    asked: () => answered,
    failed: () => failed,
  };
}

function optionsOf(sources: readonly OpenSource[], { name, namespace, capabilities }: RenderContext): string {
  const wanted = sources.map(({ path, ref, options }) => ({ path: path ?? null, ref: ref ?? null, options: options as Json }));
  return canonicalJson([name, namespace, capabilities !== undefined, ...wanted]);
}

function describe({ kubeVersion, apiVersions }: Capabilities): string {
  return canonicalJson([kubeVersion, ...apiVersions]);
}
