import { parseResourceKey, type Diff, type Json, type JsonObject } from '../../model/index.ts';
import type { Compared } from './format-diffs.ts';
import { countTypes } from './summary.ts';

/** The versioned document of `-o json`. */
export function report({ diffs, findings, context }: Compared): JsonObject {
  return {
    apiVersion: 'setpoint.dev/v1',
    kind: 'DiffReport',
    context,
    summary: countTypes(diffs),
    resources: diffs.map(describe),
    findings: findings.map((finding) => ({ ...finding })),
  };
}

function describe(diff: Diff): Json {
  const { type, key, origin } = diff;
  return {
    ...parseResourceKey(key),
    origin,
    type,
    ...('code' in diff ? { code: diff.code } : {}),
    ...('message' in diff ? { message: diff.message } : {}),
    ...('changes' in diff ? { changes: diff.changes as unknown as Json } : {}),
    ...('foreign' in diff ? { foreign: diff.foreign as unknown as Json } : {}),
    ...('patch' in diff ? { patch: diff.patch as unknown as Json } : {}),
  };
}
