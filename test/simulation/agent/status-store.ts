import type { KubeObject } from '../../../src/model/index.ts';
import type { ApplicationStore } from '../../../src/status/index.ts';
import type { Scene } from '../scene.ts';
import type { StatusWritten, StoredApplication } from '../world/application-server.ts';
import type { Sender } from '../world/network.ts';
import type { ApplicationWatch } from './application-watch.ts';

interface Options {
  readonly scene: Scene;
  readonly sender: Sender;
  readonly epoch: number;
  readonly applicationWatch: ApplicationWatch;
}

/** The Applications, as far as their statuses go, as one process reaches them in one term. */
export function createStatusStore({ scene, sender, epoch, applicationWatch }: Options): ApplicationStore {
  const { network, applications, witness, trace } = scene;
  return {
    find: (id) => applicationWatch.find(id)?.object,
    read(id, signal) {
      const carryOut = (): KubeObject | undefined => applications.find(id)?.object;
      return network.send(sender, { to: 'cluster', type: 'read', what: `read ${id}`, carryOut, signal });
    },
    async patchStatus(id, status, { resourceVersion, signal }) {
      const carryOut = (): { readonly answer: StatusWritten; readonly stored: StoredApplication | undefined } => {
        const answer = applications.patchStatus(id, status, resourceVersion);
        trace?.(() => `${sender.name}: the status of ${id}: ${answer.type}: ${JSON.stringify({ ...status, memory: undefined, conditions: undefined })}`);
        if (answer.type === 'written') witness.statusWritten(id, epoch);
        return { answer, stored: applications.find(id) };
      };
      const { answer, stored } = await network.send(sender, { to: 'cluster', type: 'write', what: `patch the status of ${id}`, carryOut, signal });
      if (answer.type === 'written') applicationWatch.see({ id, version: Number(answer.object.metadata['resourceVersion']), stored });
      return answer;
    },
  };
}
