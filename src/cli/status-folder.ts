import { setTimeout as sleep } from 'node:timers/promises';
import { SetpointError } from '../model/index.ts';
import { readControls, readStateFolder, writeControl } from '../status/index.ts';
import { folderItem, type StatusItem } from './status-item.ts';
import { nearestName } from './status-nearest-name.ts';
import type { StatusQuestion, StatusSource } from './status-source.ts';

interface FolderSourceOptions {
  readonly folder: string;
  readonly now: () => Date;
  readonly warn: (text: string) => void;
}

const pollMs = 1000;

/** What an agent keeps that has no Applications in a cluster. */
export function createFolderSource({ folder, now, warn }: FolderSourceOptions): StatusSource {
  async function all({ app, namespace, allNamespaces, selector }: StatusQuestion): Promise<readonly StatusItem[]> {
    if (selector !== undefined) throw new SetpointError('Usage', '--selector looks at labels, and a state folder has none: leave it out, or leave out --state');
    const state = await readStateFolder(folder);
    if (state === undefined) throw new SetpointError('StateInvalid', `no agent has kept anything in ${folder}: check --state, or leave it out to read the cluster`);
    const { heartbeat, statuses } = state;
    const controls = await readControls(folder);
    const items = statuses.map((status) => folderItem(status, { heartbeat, control: controls.get(status.name), now: now() }));
    const isWanted = (item: StatusItem): boolean => app === undefined || item.id === app || item.name === app;
    return items.filter((item) => isWanted(item) && (namespace === undefined || allNamespaces === true || item.namespace === namespace));
  }

  async function absent(app: string): Promise<SetpointError> {
    const others = await all({});
    const nearest = nearestName(app, app.includes('/') ? others.map(({ id }) => id) : others.map(({ name }) => name));
    return new SetpointError('Usage', `there is no application ${app} in ${folder}: ${nearest === undefined ? '' : `did you mean ${nearest}? `}setpoint status --state ${folder} lists all`);
  }

  async function read(question: StatusQuestion): Promise<readonly StatusItem[]> {
    const found = await all(question);
    if (found.length === 0 && question.app !== undefined) throw await absent(question.app);
    // A name that is somebody's whole id means that one.
    const exact = found.filter(({ id }) => id === question.app);
    return exact.length === 0 ? found : exact;
  }

  return {
    place: `state folder ${folder}`,
    read,
    async find(question) {
      const found = await read(question);
      const [only, ...others] = found;
      if (only === undefined || others.length > 0) throw new SetpointError('Usage', `${question.app} may be any of ${found.map(({ id }) => id).join(', ')}: name one of them`);
      return only;
    },
    async watch(question, tell, signal) {
      let trouble = '';
      while (!signal.aborted) {
        // A folder that is away for a moment is no reason to end.
        const message = await read(question).then(tell, (error: Error) => error.message);
        if (typeof message === 'string' && message !== trouble) warn(message);
        trouble = message ?? '';
        await sleep(pollMs, undefined, { signal }).catch(() => undefined);
      }
    },
    async askForLook(id, text) {
      await writeControl(folder, id, { refresh: text });
    },
    async setPause(id, pause) {
      const { until, reason } = pause ?? {};
      await writeControl(folder, id, { pause: pause === undefined ? null : { ...(until === undefined ? {} : { until }), ...(reason === undefined ? {} : { reason }) } });
    },
    async askForSync(id, request) {
      await writeControl(folder, id, { sync: request });
    },
    async askForEnd(id, operation) {
      await writeControl(folder, id, { terminate: operation });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
