import { watchApplicationFiles, type ApplicationListing } from '../apps/index.ts';
import type { Scope } from '../config/index.ts';
import { mainSource, namedApplication, plainApplication, SetpointError, type Application } from '../model/index.ts';
import type { Declared } from '../reconcile/index.ts';
import { renderPlain } from '../render/index.ts';
import { hintConcerns, type Hint } from '../server/index.ts';
import { createSilencesFile, openStateFolder, readControls, watchControls, type Control, type StateFolder } from '../status/index.ts';
import { systemClock } from './clock.ts';
import { completed } from './cluster-applications.ts';
import type { Declarations } from './declarations.ts';
import type { Leading } from './leading.ts';
import type { Parts } from './parts.ts';
import { startTerm, type Term } from './term.ts';

type Controls = ReadonlyMap<string, Control>;

interface StandaloneOptions<S extends Scope['type']> {
  readonly parts: Parts;
  readonly declarations: Declarations;
  readonly scope: Extract<Scope, { type: S }>;
}

/** One application, from the command line. */
export async function startSingle({ parts, declarations, scope }: StandaloneOptions<'single'>, signal: AbortSignal): Promise<Leading> {
  const { name, source, namespace = parts.defaultNamespace, mode } = scope;
  const status = await openStateFolder(parts.config.stateFolder);
  const policy = { deploy: mode === 'auto' ? 'automatic' : 'manual', drift: mode === 'auto' ? 'Heal' : 'Alert', foreignFields: 'Report', prune: false } as const;
  const application = plainApplication({ name, sources: [source], destination: { namespace }, policy });
  await claimStatus(status, application, parts.server);
  const controls = await controlled(parts, (given) => declarations.declare({ type: 'application', application: withControls(application, given) }));
  return runAlone({ parts, declarations, status, stop: () => controls.close() }, signal);
}

/** The applications in a file or folder. No custom resource and no lease: one process, with its state in a folder. */
export async function startFiles({ parts, declarations, scope }: StandaloneOptions<'files'>, signal: AbortSignal): Promise<Leading> {
  const { log, defaultNamespace } = parts;
  const status = await openStateFolder(parts.config.stateFolder);
  const first = Promise.withResolvers<ApplicationListing>();
  let listing: ApplicationListing | undefined;
  let given: Controls = new Map();
  const declareAll = (): void => {
    if (listing?.type !== 'listed') return;
    const all = listing.applications.map(({ application }) => declaredIn(application, given, defaultNamespace)).filter((each) => each !== undefined);
    // What could not be read may hold those that are missing.
    if (listing.complete) declarations.replace(all);
    else for (const declared of all) declarations.declare(declared);
  };
  const files = watchApplicationFiles({
    path: scope.path,
    parse: ({ path, content }) => renderPlain([{ path, content }]),
    log,
    onChange(now) {
      if (now.type === 'unreadable') log.error('the applications cannot be read: those that are known stay', { reason: now.message });
      else {
        listing = now;
        for (const { origin, message } of now.problems) log.warn('a document is no Application', { origin, reason: message });
        declareAll();
      }
      first.resolve(now);
    },
  });
  const controls = await controlled(parts, (now) => {
    given = now;
    declareAll();
  });
  await files.look();
  const seen = await first.promise;
  // What was never there is a mistake; what goes away later is an outage.
  if (seen.type === 'unreadable') {
    await files.close();
    controls.close();
    throw new SetpointError('Usage', seen.message);
  }
  return runAlone(
    {
      ...{ parts, declarations, status },
      async stop() {
        controls.close();
        await files.close();
      },
    },
    signal,
  );
}

interface Alone {
  readonly parts: Parts;
  readonly declarations: Declarations;
  readonly status: StateFolder;
  readonly stop: () => void | Promise<void>;
}

const beatMs = 5000;

async function runAlone({ parts, declarations, status, stop }: Alone, signal: AbortSignal): Promise<Leading> {
  const { references, config, log } = parts;
  const term: Term = await startTerm({ parts, declarations, status, silences: createSilencesFile(config.stateFolder, { log, now: systemClock.now }), mayWrite: () => undefined, signal });
  let beating: Promise<void> = Promise.resolve();
  const beat = (): Promise<void> => (beating = beating.then(leaveSign));
  const leaveSign = async (): Promise<void> => {
    const unrecorded = new Set(term.unrecorded());
    const applications = declarations.all().map(({ application }) => application.id).filter((id) => !unrecorded.has(id));
    await status.beat({ aliveAt: new Date().toISOString(), intervalMs: config.intervalMs, applications }).catch((error: Error) => log.warn('no sign of life could be left', { reason: error.message }));
  };
  await beat();
  const timer = setInterval(() => void beat(), Math.min(beatMs, config.intervalMs));
  const endBeats = declarations.onChange(() => void beat());
  return {
    term: () => term,
    isLeader: () => true,
    hint(hint: Hint) {
      references.hint((reference) => hintConcerns(hint, reference));
      return Promise.resolve();
    },
    readiness: [{ name: 'looks', check: () => (term.hasLookedAtAll() ? undefined : 'not every application has been looked at yet') }],
    async stop() {
      clearInterval(timer);
      endBeats();
      await stop();
      await term.stop();
      await beating;
    },
  };
}

/** What people ask for through the state folder: a look, a pause. */
async function controlled({ config, log }: Parts, take: (controls: Controls) => void): Promise<{ close(): void }> {
  const onProblem = (error: Error): void => log.warn('what was asked for through the state folder cannot be read', { reason: error.message });
  await readControls(config.stateFolder).then(take, onProblem);
  return watchControls(config.stateFolder, { onChange: take, onProblem });
}

function withControls(application: Application, controls: Controls): Application {
  const asked = controls.get(application.id);
  if (asked === undefined) return application;
  const { refresh, pause, sync, terminate, mute, replay } = asked;
  return { ...application, refresh: refresh ?? application.refresh, sync: sync ?? application.sync, terminate: terminate ?? application.terminate, mute: mute ?? application.mute, replay: replay ?? application.replay, pause: pause === undefined ? application.pause : { until: pause.until, reason: pause.reason } };
}

function declaredIn(read: Extract<ApplicationListing, { type: 'listed' }>['applications'][number]['application'], controls: Controls, defaultNamespace: string): Declared | undefined {
  if (read.type === 'application') return { type: 'application', application: withControls(completed(read.spec, defaultNamespace), controls) };
  return read.id === undefined ? undefined : { type: 'invalid', application: withControls(namedApplication(read.id), controls), message: read.messages.join('; ') };
}

async function claimStatus(status: StateFolder, application: Application, server: string): Promise<void> {
  const { id } = application;
  const source = mainSource(application);
  const subject = `${source.repository} ${source.path ?? ''} -> ${server}`;
  const { subject: stored } = await status.update(id, (current) => (current.subject === null ? { ...current, subject } : current));
  if (stored !== subject) {
    throw new SetpointError('StateInvalid', `the state of application ${id} is about ${stored}, not ${subject}: give another --name or --state`);
  }
}
