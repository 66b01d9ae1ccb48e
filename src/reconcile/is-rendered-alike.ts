import { isWhole, sameValue, type Application } from '../model/index.ts';
import { identifyParts } from './identify-parts.ts';
import { capabilitiesOf, type Observation } from './observe.ts';
import type { Ports } from './ports.ts';
import { nameOf, renderedName } from './rendered-name.ts';

interface Look {
  readonly application: Application;
  readonly observation: Observation;
}

/**
 * Whether Git, rendered once more, declares the same as this look found. What is remembered would only be compared with itself, and a render
 * that lost half of what it should have, for whatever reason, must not delete the other half.
 */
export async function isRenderedAlike({ application, observation }: Look, { desired, cluster }: Pick<Ports, 'desired' | 'cluster'>, signal: AbortSignal): Promise<boolean> {
  const { judgement, commits } = observation;
  try {
    const again = await desired.at(application, judgement.commit, signal);
    if (!sameValue([...again.commits], [...commits])) return false;
    const { documents, findings } = await again.documentsAnew(() => capabilitiesOf(cluster, signal), signal);
    const { lookUp } = await cluster.discover(signal);
    const { manifests, hooks, refused } = identifyParts(documents, lookUp, application.destination.namespace);
    const keys = [...[...manifests, ...hooks].map(({ manifest }) => manifest.key), ...refused.map(({ key }) => key)];
    return isWhole(findings) && nameOf(again.commit, keys) === renderedName(observation);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
