import { stringify } from 'yaml';
import { applicationCrd } from './application-crd.ts';

/** The manifest as it lies in the chart. */
export function crdText(): string {
  return `# Made by npm run build:crd from src/apps/fields: change it there.\n${stringify(applicationCrd(), { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
