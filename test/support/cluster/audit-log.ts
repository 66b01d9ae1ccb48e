// The independent witness: what the API server itself recorded of every request.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

export interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly user: { readonly username: string };
  readonly impersonatedUser?: {
    readonly username: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly objectRef?: { readonly resource: string; readonly namespace?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
}

export interface AuditLog {
  /** Everything recorded since this log was opened. */
  events(): Promise<readonly AuditEvent[]>;
}

export async function openAuditLog(file: string): Promise<AuditLog> {
  const { size } = await stat(file);
  return {
    async events() {
      const recorded = await text(createReadStream(file, { start: size }));
      const wholeLines = recorded.slice(0, recorded.lastIndexOf('\n') + 1);
      return wholeLines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as AuditEvent);
    },
  };
}
