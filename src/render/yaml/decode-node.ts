import { isAlias, isMap, isScalar, isSeq, type Alias, type ParsedNode, type YAMLMap } from 'yaml';
import type { BoundAliases } from './bind-aliases.ts';
import { checkContinuation, checkPair } from './check-layout.ts';
import { decodeScalar, isMergeKey, warnOfCollectionTag } from './decode-scalar.ts';
import type { GoScalar } from './go-scalars.ts';
import type { GoEntry, GoValue } from './go-value.ts';
import { limits } from './limits.ts';
import type { DocumentMeter } from './meter.ts';
import { Refusal, type Warn } from './yaml-finding.ts';

interface Decoding {
  readonly text: string;
  readonly aliases: BoundAliases;
  readonly meter: DocumentMeter;
  readonly warn: Warn;
}

type Mapping = YAMLMap.Parsed;
type Entries = Map<string, GoEntry & { readonly origin: 'written' | 'merged' }>;

/** A tree as Go decodes it: aliases expanded, maps merged in the order of the text, the last of equal keys kept. */
export function decodeNode(root: ParsedNode, { text, aliases, meter, warn }: Decoding): GoValue {
  const open = new Set<Alias>();

  const enter = <T>(node: ParsedNode, depth: number, read: (target: Exclude<ParsedNode, Alias>, depth: number) => T): T => {
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

  const decode = (node: ParsedNode | null, depth: number): GoValue => {
    if (node === null) return { kind: 'null' };
    return enter(node, depth, (target, at): GoValue => {
      if (isMap(target)) {
        const entries: Entries = new Map();
        fill(entries, target, { depth: at, origin: 'written' });
        return { kind: 'map', entries: [...entries.values()] };
      }
      if (isSeq(target)) {
        warnOfCollectionTag(target, warn);
        const items = target.items as readonly (ParsedNode | null)[];
        return {
          kind: 'list',
          items: items.map((item) => {
            checkContinuation(item, target);
            return decode(item, at + 1);
          }),
        };
      }
      return decodeScalar(target, text, warn);
    });
  };

  const fill = (entries: Entries, map: Mapping, at: { readonly depth: number; readonly origin: 'written' | 'merged' }): void => {
    warnOfCollectionTag(map, warn);
    const own = new Set<string>();
    for (const pair of map.items) {
      checkPair(pair, map);
      checkContinuation(pair.value, map);
      const { key, value } = pair;
      if (isMergeKey(key)) {
        merge(entries, value, at.depth);
        continue;
      }
      const decoded = decode(key, at.depth + 1);
      if (decoded.kind === 'list' || decoded.kind === 'map') {
        throw new Refusal('invalid-key', key.range[0], `a ${decoded.kind} cannot be a key`);
      }
      const written = keyText(isAlias(key) ? aliases.get(key) : key);
      const entry = { key: decoded, value: decode(value, at.depth + 1), text: written, offset: key.range[0], origin: at.origin };
      const identity = identityOf(decoded, entries.size);
      if (own.has(identity)) warn({ code: 'duplicate-key', offset: entry.offset, message: `the key ${written} is there twice: the last one counts` });
      else if (at.origin === 'merged' && entries.get(identity)?.origin === 'written') {
        warn({ code: 'merge-order', offset: entry.offset, message: `the merged key ${written} wins over the one written before the <<` });
      }
      own.add(identity);
      entries.set(identity, entry);
    }
  };

  const merge = (entries: Entries, value: ParsedNode | null, depth: number): void => {
    const sources = isSeq(value) ? (value.items as ParsedNode[]).toReversed() : [value];
    for (const source of sources) {
      const target = isAlias(source) ? aliases.get(source) : source;
      if (source === null || !isMap(target)) {
        throw new Refusal('invalid-merge', source?.range[0] ?? 0, 'a << takes a map or a list of maps');
      }
      enter(source, depth, (map) => {
        if (isMap(map)) fill(entries, map as Mapping, { depth: depth + 1, origin: 'merged' });
      });
    }
  };

  return decode(root, 0);
}

function keyText(key: ParsedNode | undefined): string {
  return isScalar(key) ? (key.source ?? '') : '';
}

/** What Go's map compares: the type and the value. Not-a-number is equal to nothing. */
function identityOf(key: GoScalar, unique: number): string {
  if (key.kind === 'null') return 'null';
  return `${key.kind} ${String(key.value)}${Number.isNaN(key.value) ? ` ${unique}` : ''}`;
}
