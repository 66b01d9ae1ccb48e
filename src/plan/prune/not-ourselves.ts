import { isOfSetpoint, neededHere } from '../of-setpoint.ts';
import type { PruneGuard } from './doomed.ts';

export const notOurselves: PruneGuard = ({ key, facts }, input) => (isOfSetpoint(key, facts, input) ? { code: 'NotOurs', why: neededHere } : undefined);
