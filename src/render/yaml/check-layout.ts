import type { ParsedNode, YAMLMap, YAMLSeq } from 'yaml';
import { Refusal } from './yaml-finding.ts';

type Pair = YAMLMap.Parsed['items'][number];

const insignificant: ReadonlySet<string> = new Set(['space', 'newline', 'comment']);

/** Layouts of a map that the parser lets pass and Go refuses. Without this, the parser would drop or move text. */
export function checkPair({ key, value, srcToken: pair }: Pair, map: YAMLMap.Parsed): void {
  if (pair === undefined) return;
  const separators = pair.sep ?? [];
  const at = separators.findIndex(({ type }) => type === 'map-value-ind');
  const colon = separators[at];
  const explicit = pair.start.some(({ type }) => type === 'explicit-key-ind');
  const colonBelow = !explicit && separators.slice(0, Math.max(at, 0)).some(({ type }) => type === 'newline');
  const colonAside = explicit && colon !== undefined && map.srcToken?.type === 'block-map' && colon.indent !== map.srcToken.indent;
  const dropped = colon === undefined && (pair.value !== undefined || separators.some(({ type }) => !insignificant.has(type)));
  if (colonBelow || colonAside || !pair.key || (dropped && value === null)) {
    throw new Refusal('syntax', key.range[0], 'no valid YAML: a key has no text, or no colon where it should be');
  }
}

/** Go ends an unquoted text at a line that is not indented more than the map or list it stands in. */
export function checkContinuation(node: ParsedNode | null, parent: YAMLMap.Parsed | YAMLSeq.Parsed): void {
  const token = node?.srcToken;
  if (token?.type !== 'scalar' || parent.srcToken === undefined || parent.srcToken.type === 'flow-collection') return;
  const [, ...continuations] = token.source.split('\n').filter((line) => line.trim() !== '');
  const indent = parent.srcToken.indent + 1;
  if (continuations.some((line) => line.search(/[^ ]/) < indent)) {
    throw new Refusal('syntax', token.offset, 'no valid YAML: an unquoted text goes on at a line that is not indented enough');
  }
}
