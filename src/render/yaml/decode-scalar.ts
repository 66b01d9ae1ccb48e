import { isScalar, Scalar, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml';
import { readBlockScalar } from './go-block-scalar.ts';
import { readDoubleQuoted } from './go-double-quoted.ts';
import { resolvePlain, resolveTagged, tagPrefix, type GoScalar } from './go-scalars.ts';
import { Refusal, type Warn } from './yaml-finding.ts';

const plainTags: ReadonlySet<string> = new Set(['str', 'int', 'float', 'bool', 'null', 'merge'].map((name) => tagPrefix + name));

/** `document` is the text that the node was parsed from. */
export function decodeScalar(node: Scalar.Parsed, document: string, warn: Warn): GoScalar {
  const text = textOf(node, document);
  if (node.tag === undefined) return node.type === Scalar.PLAIN ? resolvePlain(text) : { kind: 'string', value: text };
  if (!plainTags.has(node.tag)) warnOfTag(node.tag, node.range[0], warn);
  const scalar = resolveTagged(node.tag, text);
  if (scalar === undefined) throw new Refusal('invalid-tag', node.range[0], `kubectl cannot read this value as ${shortTag(node.tag)}`);
  return scalar;
}

function textOf(node: Scalar.Parsed, document: string): string {
  const token = node.srcToken;
  if (token?.type === 'double-quoted-scalar') return readDoubleQuoted(token.source, token.offset);
  if (token?.type !== 'block-scalar') return node.source ?? '';
  const props = token.props.map((prop) => ('source' in prop ? prop.source : ''));
  const start = token.offset + props.join('').length;
  // The parser leaves out empty lines at the end, even where their spaces are text.
  const emptyLines = /(?: *\n)*/y;
  emptyLines.lastIndex = start + token.source.length;
  const source = token.source + (emptyLines.exec(document)?.[0] ?? '');
  return readBlockScalar({ header: props[0] ?? '', source, offset: token.offset, parentIndent: token.indent });
}

/** Go takes a `<<` for a merge when it is plain, or tagged as one, and the tag `!` makes any style plain here. */
export function isMergeKey(key: ParsedNode): boolean {
  if (!isScalar(key) || key.source !== '<<') return false;
  return key.tag === undefined ? key.type === Scalar.PLAIN : key.tag === '!' || key.tag === `${tagPrefix}merge`;
}

export function warnOfCollectionTag(node: YAMLMap.Parsed | YAMLSeq.Parsed, warn: Warn): void {
  const own = node.constructor as { readonly tagName?: string };
  if (node.tag !== undefined && node.tag !== own.tagName) warnOfTag(node.tag, node.range[0], warn);
}

function warnOfTag(tag: string, offset: number, warn: Warn): void {
  warn({ code: 'exotic-tag', offset, message: `kubectl does not know the tag ${shortTag(tag)} as others do` });
}

function shortTag(tag: string): string {
  return tag.startsWith(tagPrefix) ? `!!${tag.slice(tagPrefix.length)}` : tag;
}
