import { stringify } from 'yaml';
import type { Json } from '../../model/index.ts';

/** A value as YAML in which nothing can be mistaken: what kubectl would read as something else (yes, on, 010) is quoted. */
export function yamlText(value: Json): string {
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
