import { guarded } from '../../diff/index.ts';
import { parseResourceKey, type Diff, type Json, type JsonObject, type Patch } from '../../model/index.ts';
import type { Compared } from './format-options.ts';
import { countTypes } from './summary.ts';

/** The versioned document of `-o json` and `-o yaml`; docs/diff-report.schema.json describes it. */
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

/** One RFC 6902 patch per resource that differs. */
export function patches(diffs: readonly Diff[]): Json {
  return diffs.flatMap((diff) => ('patch' in diff ? [{ resource: diff.key, patch: asJson(guardedPatch(diff)) }] : []));
}

function describe(diff: Diff): Json {
  const { key, origin, type } = diff;
  return { ...parseResourceKey(key), origin, type, ...details(diff) };
}

function details(diff: Diff): JsonObject {
  switch (diff.type) {
    case 'same':
      return remarks(diff);
    case 'changed':
      return {
        changes: asJson(diff.changes),
        patch: asJson(guardedPatch(diff)),
        ...(diff.obstacle === undefined ? {} : { obstacle: { ...diff.obstacle } }),
        ...(diff.unconfirmed === undefined ? {} : { unconfirmed: diff.unconfirmed }),
        ...remarks(diff),
      };
    case 'missing':
      return { patch: asJson(diff.patch), ...(diff.waitsFor === undefined ? {} : { waitsFor: diff.waitsFor }) };
    case 'terminating':
    case 'invalid':
      return { message: diff.message };
    case 'unknown':
      return { code: diff.code, message: diff.message };
  }
}

function remarks({ foreign, ignored, sideEffects, adopted, warnings }: Extract<Diff, { readonly adopted: boolean }>): JsonObject {
  return { foreign: asJson(foreign), ignored: asJson(ignored), sideEffects: asJson(sideEffects), adopted, warnings };
}

/** With a `test` before each operation: on an object that has moved on, the patch fails as a whole. */
function guardedPatch(diff: Extract<Diff, { readonly patch: Patch }>): Patch {
  return diff.type === 'changed' ? guarded(diff.patch, diff.before) : diff.patch;
}

/** The types of the model are JSON without saying so: interfaces have no index signature. */
function asJson(value: readonly object[]): Json {
  return value as unknown as Json;
}
