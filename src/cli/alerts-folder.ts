import { namedApplication, type AppStatus } from '../model/index.ts';
import { createSilencesFile, readControls, writeControl, type Control } from '../status/index.ts';
import type { AlertedItem, AlertsSource } from './alerts-source.ts';
import { createFolderSource } from './status-folder.ts';

interface FolderAlertsOptions {
  readonly folder: string;
  /** As the machine calls the user. */
  readonly localUser: string;
  readonly now: () => Date;
  readonly warn: (text: string) => void;
}

/** The alerts of an agent that has no Applications in a cluster. */
export function createFolderAlerts({ folder, localUser, now, warn }: FolderAlertsOptions): AlertsSource {
  const statuses = createFolderSource({ folder, now, warn });
  const log = { warn: (message: string, { silence }: Readonly<Record<string, unknown>> = {}): void => warn(typeof silence === 'string' ? `${message}: ${silence}` : message) };
  const itemOf = (status: AppStatus, control: Control | undefined): AlertedItem => {
    const application = namedApplication(status.name, { mute: control?.mute, replay: control?.replay });
    return { application, status, keeper: folder };
  };
  return {
    place: statuses.place,
    async read(question, signal) {
      const [found, controls] = await Promise.all([statuses.read(question, signal), readControls(folder)]);
      return found.map(({ id, status }) => itemOf(status, controls.get(id)));
    },
    async setMute(id, mute) {
      await writeControl(folder, id, { mute: mute ?? null });
    },
    async askForReplay(id, text) {
      await writeControl(folder, id, { replay: text });
    },
    silencesOf: (keeper) => createSilencesFile(keeper, { log, now }),
    usualKeeper: () => Promise.resolve(folder),
    author: () => Promise.resolve(localUser),
    [Symbol.asyncDispose]: () => statuses[Symbol.asyncDispose](),
  };
}
