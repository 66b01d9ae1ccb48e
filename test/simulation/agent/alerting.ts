import { startDispatcher, type Dispatcher, type DispatchPorts } from '../../../src/dispatch/index.ts';
import type { Clock } from '../../../src/reconcile/index.ts';
import type { Scene } from '../scene.ts';
import type { Sender } from '../world/network.ts';
import { sinkNames } from '../world/sink.ts';
import { createDeliveryQueue } from './delivery-queue.ts';

type Given = Pick<DispatchPorts, 'store' | 'applications' | 'mayWrite' | 'newId'>;

interface Options extends Given {
  readonly scene: Scene;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly epoch: number;
}

export interface Alerting extends Dispatcher {
  /** How many deliveries are wanted or under way. */
  pending(): Promise<number>;
}

/** People are told what happens, as the agent that leads does it. */
export function startAlerting({ scene, sender, clock, epoch, ...given }: Options): Alerting {
  const { rules, sinks, keys, spoils, trace } = scene;
  const queues = new Map(sinkNames.map((name) => [name, createDeliveryQueue(name, keys, clock)]));
  const ports: DispatchPorts = {
    ...given,
    ...{ queues, clock, destinations: sinks.from(sender, epoch), cluster: 'simulated', silences: () => [] },
    report: {
      attempted: () => undefined,
      gone: () => undefined,
      hindered: (what, error) => trace?.(() => `${sender.name}: ${what}: ${error.message}`),
    },
  };
  const dispatcher = startDispatcher({ rules, muteWindows: [] }, spoils.dispatch?.(ports) ?? ports);
  return {
    ...dispatcher,
    async pending() {
      const stats = await Promise.all([...queues.values()].map((queue) => queue.stats()));
      return stats.reduce((sum, { waiting, delayed, underWay }) => sum + waiting + delayed + underWay, 0);
    },
  };
}
