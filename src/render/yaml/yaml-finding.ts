import { limits } from './limits.ts';

/** kubectl refuses such a document, or what it reads cannot be known, or the document is beyond our limits. */
type ErrorCode =
  | 'ambiguous-key'
  | 'control-character'
  | 'directive'
  | 'excessive-aliasing'
  | 'exotic-line-break'
  | 'flow-indicator'
  | 'ignored-text'
  | 'invalid-escape'
  | 'invalid-key'
  | 'invalid-merge'
  | 'invalid-number'
  | 'invalid-separator'
  | 'invalid-tag'
  | 'invalid-utf8'
  | 'recursive-alias'
  | 'syntax'
  | 'too-deep'
  | 'too-large'
  | 'too-many-aliases'
  | 'too-many-documents'
  | 'too-many-nodes'
  | 'too-much-memory'
  | 'too-slow'
  | 'unknown-alias'
  | 'unreadable';

/** The value is kubectl's, and it may not be what the author meant. */
type WarningCode = 'duplicate-key' | 'exotic-tag' | 'ignored-text' | 'merge-order' | 'retyped-key';

/** Something wrong or odd in a document. The message names keys, tags and anchors, and never a value: it may be a secret. */
export interface YamlFinding {
  readonly severity: 'error' | 'warning';
  readonly code: ErrorCode | WarningCode;
  /** Counted from 1, in the file. */
  readonly line: number;
  readonly message: string;
}

/** Leaves the recursion that reads one document, and never this folder. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly offset: number;

  constructor(code: ErrorCode, offset: number, message: string) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

export interface Warning {
  readonly code: WarningCode;
  readonly offset: number;
  readonly message: string;
}

export type Warn = (warning: Warning) => void;

/** Keeps the first of equal warnings, because an alias repeats what it stands for, and no more than a person would read. */
export function collectWarnings(): { readonly warn: Warn; readonly warnings: () => readonly Warning[] } {
  const kept = new Map<string, Warning>();
  return {
    warn: (warning) => {
      const identity = `${warning.code} ${warning.offset}`;
      if (kept.size < limits.warningsPerDocument && !kept.has(identity)) kept.set(identity, warning);
    },
    warnings: () => [...kept.values()],
  };
}
