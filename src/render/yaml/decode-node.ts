import { isAlias, isMap, isScalar, isSeq, type Alias, type ParsedNode, type YAMLMap } from 'yaml';
import type { BoundAliases } from './bind-aliases.ts';
import { checkContinuation, checkPair } from './check-layout.ts';
import { combineSlots, type Slot } from './combine-slots.ts';
import { decodeScalar, isMergeKey, warnOfCollectionTag } from './decode-scalar.ts';
import type { GoValue } from './go-value.ts';
import { limits } from './limits.ts';
import type { DocumentMeter } from './meter.ts';
import { Refusal, type Warn } from './yaml-finding.ts';

interface Decoding {
  /** The text that the tree was composed from. */
  readonly text: string;
  readonly aliases: BoundAliases;
  readonly meter: DocumentMeter;
  readonly warn: Warn;
}

type Read<T> = (target: Exclude<ParsedNode, Alias>, depth: number) => T;

/** A tree as Go decodes it: aliases expanded, maps merged, the last of equal keys kept. */
export function decodeNode(root: ParsedNode, { text, aliases, meter, warn }: Decoding): GoValue {
  const open = new Set<Alias>();

  const enter = <T>(node: ParsedNode, depth: number, read: Read<T>): T => {
    if (depth > limits.depth) throw new Refusal('too-deep', node.range[0], `nested deeper than ${limits.depth} levels with aliases expanded`);
    meter.countNode(node.range[0], open.size === 0 ? 'written' : 'aliased');
    if (!isAlias(node)) return read(node, depth);
    const target = aliases.get(node);
    if (target === undefined || open.has(node)) {
      throw new Refusal('recursive-alias', node.range[0], `the anchor &${node.source} contains itself`);
    }
    open.add(node);
    const result = enter(target, depth, read);
    open.delete(node);
    return result;
  };

  const decode = (node: ParsedNode | null, depth: number): GoValue => (node === null ? { kind: 'null' } : enter(node, depth, decodeTarget));

  const decodeTarget: Read<GoValue> = (target, depth) => {
    if (isMap(target)) return { kind: 'map', entries: combineSlots(slotsOf(target, depth), warn) };
    if (!isSeq(target)) return decodeScalar(target, text, warn);
    warnOfCollectionTag(target, warn);
    const items = target.items as readonly (ParsedNode | null)[];
    for (const item of items) checkContinuation(item, target);
    return { kind: 'list', items: items.map((item) => decode(item, depth + 1)) };
  };

  const slotsOf = (map: YAMLMap.Parsed, depth: number): readonly Slot[] => {
    warnOfCollectionTag(map, warn);
    return map.items.flatMap((pair) => {
      checkPair(pair, map, text);
      checkContinuation(pair.value, map);
      return isMergeKey(pair.key) ? merge(pair.value, depth) : [slotOf(pair.key, pair.value, depth + 1)];
    });
  };

  const slotOf = (keyNode: ParsedNode, valueNode: ParsedNode | null, depth: number): Slot => {
    const key = decode(keyNode, depth);
    if (key.kind === 'list' || key.kind === 'map') throw new Refusal('invalid-key', keyNode.range[0], `a ${key.kind} cannot be a key`);
    const written = isAlias(keyNode) ? aliases.get(keyNode) : keyNode;
    const keyText = isScalar(written) ? (written.source ?? '') : '';
    return { key, value: decode(valueNode, depth), text: keyText, offset: keyNode.range[0], origin: 'written' };
  };

  /** Of a list of maps the first has the last word. */
  const merge = (value: ParsedNode | null, depth: number): readonly Slot[] => {
    const sources = isSeq(value) ? value.items.toReversed() : [value];
    return sources.flatMap((source) => {
      if (source === null || !isMap(isAlias(source) ? aliases.get(source) : source)) {
        throw new Refusal('invalid-merge', source?.range[0] ?? 0, 'a << takes a map or a list of maps');
      }
      const entries = enter(source, depth + 1, (map, at) => (isMap(map) ? combineSlots(slotsOf(map, at), warn) : []));
      return entries.map((entry) => ({ ...entry, origin: 'merged' as const }));
    });
  };

  return decode(root, 0);
}
