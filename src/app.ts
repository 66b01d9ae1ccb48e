import { createDeclarations, openParts, startFiles, startLeading, startServer, startSingle, type Leading, type PartsOptions } from './agent/index.ts';

export interface Agent {
  /** Lets work under way end, and lets go of everything. */
  stop(): Promise<void>;
  /** Ends only where the agent cannot go on by itself. */
  readonly done: Promise<void>;
}

/** Wires the parts of the agent together and keeps them going. `signal` calls off a start that takes too long. */
export async function startAgent(options: PartsOptions & { readonly signal?: AbortSignal }): Promise<Agent> {
  const { config, log } = options;
  const stopping = new AbortController();
  const signal = options.signal === undefined ? stopping.signal : AbortSignal.any([options.signal, stopping.signal]);
  await using served = new AsyncDisposableStack();
  await using undo = new AsyncDisposableStack();
  const parts = undo.use(await openParts(options));
  const declarations = createDeclarations();
  const { scope } = config;
  let runner: Leading | undefined;
  // Before the cluster is asked for anything: who waits for it is alive, and says what is missing.
  const server = await startServer({ config, log, metrics: parts.metrics, leading: () => runner }, signal);
  served.defer(() => server?.close());
  undo.defer(followDeclarations());
  const started =
    scope.type === 'cluster'
      ? await startLeading({ parts, declarations, scope }, signal)
      : scope.type === 'files'
        ? await startFiles({ parts, declarations, scope }, signal)
        : await startSingle({ parts, declarations, scope }, signal);
  undo.defer(() => started.stop());
  runner = started;
  log.info('agent started', { scope: scope.type, cluster: parts.server });
  const [ending, serving] = [undo.move(), served.move()];
  return {
    done: new Promise<never>(() => undefined),
    async stop() {
      log.info('agent is stopping');
      const retired = server?.retire();
      try {
        await ending.disposeAsync();
        await retired;
      } finally {
        // Whoever asks meanwhile hears that it stops, and not nothing.
        await serving.disposeAsync();
      }
      stopping.abort();
      log.info('agent stopped');
    },
  };

  /** References and objects of applications that are there are followed, and those of others no longer. */
  function followDeclarations(): () => void {
    let isDue = false;
    return declarations.onChange(() => {
      if (isDue) return;
      isDue = true;
      setImmediate(() => {
        isDue = false;
        const applications = declarations.all().flatMap((declared) => (declared.type === 'application' ? [declared.application] : []));
        parts.references.follow(applications.flatMap(({ sources, intervalMs: pollMs }) => sources.map((source) => ({ ...source, pollMs }))));
        parts.standings.retain(new Set(applications.map(({ id }) => id)));
      });
    });
  }
}
