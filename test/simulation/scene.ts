import type { AlertRule } from '../../src/model/index.ts';
import type { LeaseServer } from '../unit/leader/simulated-lease.ts';
import type { World } from '../unit/leader/simulated-world.ts';
import type { Pace } from './agent/pace.ts';
import type { Spoils } from './agent/spoils.ts';
import type { Witness } from './checks/witness.ts';
import type { ApplicationServer } from './world/application-server.ts';
import type { Dice } from './world/dice.ts';
import type { GitServer } from './world/git-server.ts';
import type { KeyStore } from './world/key-store.ts';
import type { Network } from './world/network.ts';
import type { ObjectServer } from './world/object-server.ts';
import type { Sinks } from './world/sink.ts';
import type { Weather } from './world/weather.ts';

/** One seed's world: its time, its servers, the ways between them, and who looks on. */
export interface Scene {
  readonly world: World;
  readonly dice: Dice;
  readonly weather: Weather;
  readonly pace: Pace;
  readonly network: Network;
  readonly git: GitServer;
  readonly objects: ObjectServer;
  readonly applications: ApplicationServer;
  readonly lease: LeaseServer;
  readonly sinks: Sinks;
  readonly keys: KeyStore;
  readonly rules: readonly AlertRule[];
  readonly witness: Witness;
  readonly spoils: Spoils;
  /** Of the last write to the cluster. */
  readonly clusterVersion: () => number;
  readonly trace: ((text: () => string) => void) | undefined;
}
