import { createDesiredState, createMemory, createReferences, createStandings, type Clock, type Ports, type References, type Standings } from '../../../src/reconcile/index.ts';
import type { ResourceKey } from '../../../src/model/index.ts';
import type { Viewer } from '../checks/look-ledger.ts';
import type { Scene } from '../scene.ts';
import type { StoredApplication } from '../world/application-server.ts';
import type { Sender } from '../world/network.ts';
import { createApplicationWatch, type ApplicationWatch } from './application-watch.ts';
import { createGitPorts } from './git-ports.ts';
import { createObjectWatch, type ObjectWatch } from './object-watch.ts';
import { pollMs, salt } from './pace.ts';

/** What a process has whether it leads or not. */
export interface Parts {
  readonly viewer: Viewer;
  readonly objectWatch: ObjectWatch;
  readonly applicationWatch: ApplicationWatch;
  readonly references: References;
  readonly standings: Standings;
  readonly desired: Ports['desired'];
}

/** Told of what is new. */
export interface Listener {
  liveChanged(key: ResourceKey): void;
  declared(id: string, stored: StoredApplication | undefined): void;
  moved(isMeant: (source: { readonly repository: string; readonly revision: string }) => boolean): void;
}

interface Options {
  readonly scene: Scene;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly listener: () => Listener | undefined;
}

export function createParts({ scene, sender, clock, listener }: Options): Parts {
  const { network, spoils, witness } = scene;
  const { random, setTimer } = clock;
  const objectWatch = createObjectWatch({ sender, network, server: scene.objects, random, onChange: (key) => listener()?.liveChanged(key) });
  const applicationWatch: ApplicationWatch = createApplicationWatch({
    ...{ sender, network, server: scene.applications, clusterVersion: scene.clusterVersion, random },
    onChange(id, stored) {
      listener()?.declared(id, stored);
      // A moment later, as others have to be told too: a look may be quicker.
      setTimer(followAll, random() * 50);
    },
  });
  const followAll = (): void => {
    const all = applicationWatch.all();
    references.follow(all.flatMap(({ application }) => application.sources));
    standings.retain(new Set(all.map(({ id }) => id)));
  };
  const viewer: Viewer = { name: sender.name, objectWatch, applicationWatch };
  const git = createGitPorts({ sender, network, server: scene.git, asked: (commit) => witness.referenceAsked(viewer, commit) });
  const options: Parameters<typeof createReferences>[0] = {
    ...{ resolve: git.resolve, pollMs, now: () => clock.now().getTime(), random, setTimer },
    onMoved: (reference) => listener()?.moved(({ repository, revision }) => repository === reference.repository && revision === reference.revision),
  };
  const references = createReferences(spoils.references?.(options) ?? options);
  const standings = createStandings({ watch: objectWatch, createMemory: () => createMemory({ now: clock.monotonic, random, salt }) });
  return { viewer, objectWatch, applicationWatch, references, standings, desired: createDesiredState({ repository: () => git, renderer: git, references }) };
}
