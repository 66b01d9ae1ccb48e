import type { Diff } from '../../model/index.ts';

/** How each outcome is called, in every format for people. */
export const statusWord: Readonly<Record<Diff['type'], string>> = {
  same: 'in sync',
  changed: 'changed',
  missing: 'missing',
  terminating: 'terminating',
  invalid: 'refused',
  unknown: 'unknown',
};
