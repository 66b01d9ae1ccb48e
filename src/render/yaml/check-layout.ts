import type { ParsedNode, YAMLMap, YAMLSeq } from 'yaml';
import { Refusal } from './yaml-finding.ts';

type Pair = YAMLMap.Parsed['items'][number];

const insignificant: ReadonlySet<string> = new Set(['space', 'newline', 'comment']);
const longestKey = 1024;

/** Layouts of a key that the parser lets pass and Go refuses. For some of them the parser would drop text. */
export function checkPair({ key, value, srcToken: pair }: Pair, map: YAMLMap.Parsed, text: string): void {
  if (pair === undefined) return;
  const separators = pair.sep ?? [];
  const colon = separators.find(({ type }) => type === 'map-value-ind');
  const start = pair.start.find(({ type }) => !insignificant.has(type) && type !== 'comma');
  const explicit = start?.type === 'explicit-key-ind';
  const keyAndColon = explicit || colon === undefined ? '' : text.slice(start?.offset ?? key.range[0], colon.offset);
  const colonAside = explicit && colon !== undefined && map.srcToken?.type === 'block-map' && colon.indent !== map.srcToken.indent;
  const dropped = colon === undefined && value === null && (pair.value !== undefined || separators.some(({ type }) => !insignificant.has(type)));
  if (keyAndColon.includes('\n') || keyAndColon.length > longestKey || colonAside || dropped || !pair.key) {
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
