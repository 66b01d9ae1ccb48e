import { isAlias, isMap, isScalar, isSeq, type Alias, type ParsedNode } from 'yaml';
import type { DocumentMeter } from './meter.ts';
import { Refusal } from './yaml-finding.ts';

export type BoundAliases = ReadonlyMap<Alias, ParsedNode>;

// Go's scanner ends a name at any other character, and then wants a space.
const goName = /^[\w-]+$/;

/** Binds each alias to the last anchor of its name before it, in the order of the text. */
export function bindAliases(root: ParsedNode, meter: DocumentMeter): BoundAliases {
  const anchors = new Map<string, ParsedNode>();
  const bound = new Map<Alias, ParsedNode>();
  const visit = (node: ParsedNode | null): void => {
    if (node === null) return;
    if (isAlias(node)) {
      meter.countAlias(node.range[0]);
      const target = anchors.get(node.source);
      if (target === undefined) throw new Refusal('unknown-alias', node.range[0], `the alias *${node.source} has no anchor before it`);
      bound.set(node, target);
      return;
    }
    if (node.anchor !== undefined) {
      if (!goName.test(node.anchor)) throw new Refusal('syntax', node.range[0], `kubectl allows only letters, digits, _ and - in an anchor`);
      anchors.set(node.anchor, node);
    }
    if (isScalar(node)) return;
    if (isSeq(node)) for (const item of node.items) visit(item);
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        visit(key);
        visit(value);
      }
    }
  };
  visit(root);
  return bound;
}
