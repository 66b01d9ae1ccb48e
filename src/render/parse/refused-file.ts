import type { ParsedDocument } from '../yaml/parse-yaml.ts';
import type { YamlFinding } from '../yaml/yaml-finding.ts';

/** All that is known of a file that nobody could read to its end. */
export function refusedFile(code: YamlFinding['code'], message: string): readonly ParsedDocument[] {
  return [{ index: 1, line: 1, value: null, findings: [{ severity: 'error', code, line: 1, message }] }];
}
