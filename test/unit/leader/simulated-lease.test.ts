import { describeLeasePort } from './lease-port-suite.ts';
import { leaseServer, simulatedLease } from './simulated-lease.ts';
import { simulatedWorld } from './simulated-world.ts';

describeLeasePort('the simulated one', async () => {
  const world = simulatedWorld();
  const server = leaseServer();
  const way = { world, process: world.startProcess(), fate: () => ({ arrivesIn: 1, answeredIn: 1 }) };
  const lease = simulatedLease(server, way);
  const soon = <T>(answer: Promise<T>): Promise<T> => {
    void world.runUntil(world.time + 10);
    return answer;
  };
  return {
    lease: {
      read: (signal) => soon(lease.read(signal)),
      create: (claim, signal) => soon(lease.create(claim, signal)),
      update: (record, signal) => soon(lease.update(record, signal)),
    },
    touch: async () => server.edit({}),
    remove: async () => server.remove(),
  };
});
