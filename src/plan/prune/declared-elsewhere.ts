import type { PruneGuard } from './doomed.ts';

/** Git has moved it, or two applications share it: deleted, it would be missing where it is still wanted. */
export const notDeclaredElsewhere: PruneGuard = ({ key }, { application, otherDeclarer }) => {
  const other = otherDeclarer?.(key);
  if (other === undefined) return undefined;
  return { code: 'DeclaredElsewhere', why: `the application ${other} declares it, too: it is not deleted; annotated there with setpoint.dev/adopt: ${application.id}, it becomes a part of that one` };
};
