import { repositoryIdentity } from '../model/index.ts';
import type { Hint } from './hint.ts';
import type { Outcome } from './hook-result.ts';
import type { Reading } from './providers/provider.ts';
import { fullNames } from './providers/reference.ts';
import type { Receiver } from './receiver.ts';

type Heard = { readonly type: 'hint'; readonly hint: Hint } | { readonly type: 'nothing'; readonly outcome: Outcome };

const nothing = (outcome: Outcome): Heard => ({ type: 'nothing', outcome });

/** What a verified event says to us, within what the receiver is for. */
export function hintOf(receiver: Receiver, reading: Reading): Heard {
  switch (reading.type) {
    case 'ping':
      return nothing({ result: 'ping' });
    case 'other':
      return nothing({ result: 'ignored', reason: reading.why });
    case 'malformed':
      return nothing({ result: 'malformed', reason: reading.why });
    case 'moved':
      return movedHint(receiver, reading);
  }
}

function movedHint(receiver: Receiver, { addresses, references }: Reading & { readonly type: 'moved' }): Heard {
  const own = receiver.repository === undefined ? undefined : repositoryIdentity(receiver.repository);
  const named = [...new Set(addresses.flatMap((address) => repositoryIdentity(address) ?? []))];
  const repositories = addresses.length === 0 && own !== undefined ? [own] : named;
  if (addresses.length === 0 && own === undefined) return nothing({ result: 'malformed', reason: 'no repository is named' });
  if (repositories.length === 0) return nothing({ result: 'ignored', reason: 'the repository has no address that can be read' });
  if (own !== undefined && !repositories.includes(own)) return nothing({ result: 'ignored', reason: 'the receiver is for another repository' });
  const wanted = receiver.reference === undefined ? undefined : fullNames(receiver.reference);
  const moved = references === 'any' ? (wanted ?? 'any') : [...new Set(references)].filter((name) => wanted?.includes(name) ?? true);
  if (moved.length === 0) return nothing({ result: 'ignored', reason: 'the receiver is for another reference' });
  return { type: 'hint', hint: { receiver: receiver.id, repositories, references: moved } };
}
