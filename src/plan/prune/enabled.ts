import type { PruneGuard } from './doomed.ts';

export const enabled: PruneGuard = (_doomed, { application, operation, request }) => {
  const asked = (operation === undefined ? request : operation.request)?.prune === true;
  return application.policy.prune || asked ? undefined : { code: 'PruneDisabled', why: 'Git no longer has it, and pruning is off: syncPolicy.automated.prune, or ask for it with this sync' };
};
