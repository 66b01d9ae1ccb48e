import { createElection, type Timing } from '../../../src/leader/index.ts';
import { simulatedLease } from '../../unit/leader/simulated-lease.ts';
import type { Scene } from '../scene.ts';
import type { Sender } from '../world/network.ts';
import { agentClock } from './agent-clock.ts';
import { createParts, type Parts } from './parts.ts';
import { startTerm, type Term } from './term.ts';

/** One process that runs the product's own code. */
export interface Agent extends Sender {
  readonly parts: Parts;
  /** What it does as the leader, while it leads. */
  term(): Term | undefined;
  /** As asked to by a signal: finishes, gives the lease back, is gone. */
  stop(): Promise<void>;
}

/** Half as many attempts as usual: most of what would happen otherwise is that a lease is renewed. */
const timing: Timing = { leaseMs: 15_000, renewMs: 10_000, retryMs: 4_000 };

export function startAgent(scene: Scene, name: string): Agent {
  const { world, dice, network, trace } = scene;
  const process = world.startProcess({ rate: 1, offsetMs: dice.between(0, 1e6), lateMs: () => dice.between(-1, 10) });
  const sender: Sender = { name, process };
  const clock = agentClock(world, process, dice.next);
  let term: Term | undefined;
  const parts = createParts({ scene, sender, clock, listener: () => term });

  const endTerm = async (): Promise<void> => {
    const ending = term;
    term = undefined;
    await ending?.end();
  };
  const election = createElection({
    lease: simulatedLease(scene.lease, { world, process, fate: (operation) => network.fateOf(sender, { to: 'cluster', type: operation === 'read' ? 'read' : 'write' }) }),
    timing,
    ...{ identity: name, now: process.now, time: clock.now, setTimer: process.setTimer, random: dice.next },
    on: {
      elected(epoch, fence) {
        trace?.(() => `${name} leads, term ${epoch}`);
        parts.references.doubt();
        term = startTerm({ scene, sender, clock, parts, epoch, fence, isLeader: () => !fence.aborted && election.mayWrite() });
      },
      lost(reason) {
        trace?.(() => `${name} no longer leads: ${reason}`);
        void endTerm();
      },
      observed: () => undefined,
    },
    log: { info: () => undefined, warn: () => undefined },
  });

  parts.objectWatch.start();
  void parts.applicationWatch.start().then(() => election.start());
  return {
    ...sender,
    parts,
    term: () => (election.mayWrite() ? term : undefined),
    async stop() {
      await endTerm();
      await election.stop();
      parts.references.close();
    },
  };
}
