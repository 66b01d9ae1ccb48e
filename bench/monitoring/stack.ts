// One deployment of a monitoring system: about as many objects, of the same kinds and sizes, as the usual ones bring.
// Written as people and their tools write: defaults mostly left out, sometimes given, and empty things left where tools put them.
import type { KubeObject } from '../../src/model/index.ts';
import type { SeededRandom } from '../../test/support/seeded-random.ts';
import { accessOf } from './access.ts';
import { customResourcesOf } from './custom-resources.ts';
import { dashboardsOf } from './dashboards.ts';
import { extrasOf } from './extras.ts';
import { networkOf } from './network.ts';
import { secretsOf } from './secrets.ts';
import { workloadsOf } from './workloads.ts';

export interface Stack {
  readonly namespace: string;
  /** The API group of the custom kinds. */
  readonly group: string;
  readonly random: SeededRandom;
}

export function monitoringStack(stack: Stack): readonly KubeObject[] {
  const parts = [accessOf, secretsOf, dashboardsOf, workloadsOf, networkOf, extrasOf, customResourcesOf];
  return parts.flatMap((part) => part(stack));
}
