// The example of waves and hooks, with Jobs whose pods nobody runs: the test is their kubelet.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startableImage } from '../../support/startable-image.ts';
import { waitFor } from '../../support/wait-for.ts';
import { deadlineMs, type SyncScene } from './scene.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'examples', 'waves', 'shop');

/** Its files, with the annotations of this domain, and an image whose pods start. */
export function wavesExample(domain: string): Readonly<Record<string, string>> {
  const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const fit = (given: string): string => given.replaceAll('setpoint.dev/', `${domain}/`).replaceAll(/(?<=image: )\S+/g, startableImage).replaceAll('restartPolicy: Never', 'restartPolicy: Never\n      schedulerName: nobody');
  return Object.fromEntries(readdirSync(folder).map((name) => [name, fit(text(name))]));
}

interface Pods {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly deletionTimestamp?: string }; readonly status: { readonly phase?: string } }[];
}

/** As a kubelet does when the container of a Job has ended. */
export async function endJob({ cluster, namespace }: SyncScene, job: string, phase: 'Succeeded' | 'Failed'): Promise<void> {
  const name = await waitFor(
    async () => {
      const { items } = await cluster.getJson<Pods>('pods', '-l', `job-name=${job}`, '-n', namespace);
      return items.find(({ metadata, status }) => metadata.deletionTimestamp === undefined && status.phase === 'Pending')?.metadata.name;
    },
    { what: `a pod of ${job}`, deadlineMs },
  );
  await cluster.kubectl(['patch', 'pod', name, '-n', namespace, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { phase } })]);
}

/** Waits until exactly this was written, in this order. */
export async function untilWritten(at: SyncScene, lines: readonly string[]): Promise<void> {
  await waitFor(async () => JSON.stringify(await at.written()) === JSON.stringify(lines), { what: lines.join(', '), deadlineMs }).catch(async (error: Error) => {
    throw new Error(`${error.message}; written was ${(await at.written()).join(', ')}; the operation is ${JSON.stringify((await at.view()).operation)}`, { cause: error });
  });
}
