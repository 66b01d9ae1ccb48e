import { isObject, parseJsonOrUndefined, type AgreedState, type AgreedStates, type ResourceKey } from '../model/index.ts';
import { compress, inflate } from './compressed-text.ts';
import { remembered } from './remembered.ts';

// Everybody who watches Applications gets all of it.
const longest = 512 * 1024;

/**
 * What was agreed on, as one short text. Where there is no room for it, only that Git has not changed can be told from it, and not which
 * live field has; undefined where there is no room even for that.
 */
export function memoryText(agreed: AgreedStates, room: number): string | undefined {
  const most = Math.min(room, longest);
  return textsOf(agreed).find((text) => text() !== undefined && (text()?.length ?? 0) <= most)?.();
}

/** From the longest to the shortest, each made when it is first asked for. */
const textsOf = remembered((agreed: AgreedStates): readonly (() => string | undefined)[] => [
  once(() => compress(agreed)),
  once(() => compress(Object.fromEntries(Object.entries(agreed).map(([key, { desired }]) => [key, { desired, live: {} }])))),
]);

/** One that fits nowhere is not kept. */
function once(make: () => string): () => string | undefined {
  let made: { readonly text: string | undefined } | undefined;
  return () => {
    if (made === undefined) {
      const text = make();
      made = { text: text.length <= longest ? text : undefined };
    }
    return made.text;
  };
}

/** Nothing where the text cannot be read: then the next look is a first look. */
export function agreedIn(text: string): AgreedStates {
  const stored = parseJsonOrUndefined(inflate(text));
  if (!isObject(stored)) return {};
  const sound = Object.entries(stored).filter(([, state]) => isObject(state) && typeof state['desired'] === 'string' && isObject(state['live'] ?? null));
  return Object.fromEntries(sound) as unknown as Record<ResourceKey, AgreedState>;
}
