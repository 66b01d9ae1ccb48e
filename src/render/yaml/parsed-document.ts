import type { Json } from '../../model/index.ts';
import type { LineOf } from './line-of.ts';
import { collectWarnings, Refusal, type Warn, type Warning, type YamlFinding } from './yaml-finding.ts';

/** One document of a file. Empty ones are left out, and count. */
export interface ParsedDocument {
  /** Which `---` section of the file it is, from 1. Comments before the first `---` are no section of their own. */
  readonly index: number;
  /** The first line that is neither blank nor a comment, from 1. */
  readonly line: number;
  /** What kubectl reads. Null only beside an error among the findings, which says why nothing was read. */
  readonly value: Json;
  readonly findings: readonly YamlFinding[];
}

export interface Place {
  readonly index: number;
  readonly line: number;
  readonly lineOf: LineOf;
}

export function readDocument({ index, line, lineOf }: Place, value: Json, warnings: readonly Warning[]): ParsedDocument {
  const findings = warnings.map(({ offset, ...warning }) => ({ severity: 'warning' as const, line: lineOf(offset), ...warning }));
  return { index, line, value, findings };
}

export function refusedDocument({ index, line, lineOf }: Place, { code, offset, message }: Refusal): ParsedDocument {
  return { index, line, value: null, findings: [{ severity: 'error', code, line: lineOf(offset), message }] };
}

/** What a reading of one document comes to: its value and warnings, or the one error that stopped it. */
export function attempt(place: Place, read: (warn: Warn) => Json): ParsedDocument {
  const { warn, warnings } = collectWarnings();
  try {
    return readDocument(place, read(warn), warnings());
  } catch (error) {
    if (error instanceof Refusal) return refusedDocument(place, error);
    throw error;
  }
}

/** kubectl passes over a document that is null. */
export function isEmpty({ value, findings }: ParsedDocument): boolean {
  return value === null && findings.length === 0;
}
