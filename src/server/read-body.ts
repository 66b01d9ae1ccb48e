import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly type: 'whole'; readonly bytes: Buffer }
  | { readonly type: 'too-large' }
  /** So many others are being read that there is no room for it. */
  | { readonly type: 'no-room' }
  /** The sender went away, or was too slow. */
  | { readonly type: 'cut' };

/** A part of the memory that all bodies share. */
export interface Place {
  claim(bytes: number): boolean;
  leave(): void;
}

/** Bounds the bytes of bodies that are in memory at once, whoever sends them. */
export function createBodyRoom(limit: number): { enter(): Place } {
  let used = 0;
  return {
    enter() {
      let own = 0;
      return {
        claim(bytes) {
          if (used + bytes > limit) return false;
          used += bytes;
          own += bytes;
          return true;
        },
        leave() {
          used -= own;
          own = 0;
        },
      };
    },
  };
}

interface BodyLimits {
  readonly limit: number;
  readonly place: Place;
}

/** Counts what really comes, whatever length was announced, and stops reading at the limit. What comes after it stays unread. */
export async function readBody(request: IncomingMessage, { limit, place }: BodyLimits): Promise<Body> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (length + chunk.length > limit) return { type: 'too-large' };
      if (!place.claim(chunk.length)) return { type: 'no-room' };
      length += chunk.length;
      chunks.push(chunk);
    }
  } catch {
    return { type: 'cut' };
  }
  return { type: 'whole', bytes: Buffer.concat(chunks) };
}
