import { Document, Scalar, visit, type CreateNodeOptions, type DocumentOptions, type ToStringOptions } from 'yaml';
import type { Json } from '../../model/index.ts';
import { escapeQuoted, isUnsafe } from './printable.ts';

const options: DocumentOptions & CreateNodeOptions & ToStringOptions = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false };

// Most values are such words, and the library takes its time for each.
const plainWord = /^[A-Za-z](?:[\w ./-]*[\w/])?$/;
const notText = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/**
 * A value as YAML in which nothing can be mistaken: what kubectl would read as something else (yes, on, 010) is quoted,
 * and what would steer a terminal is escaped.
 */
export function yamlText(value: Json): string {
  if (typeof value === 'string' && plainWord.test(value) && !notText.test(value)) return `${value}\n`;
  const document = new Document(value, options);
  const text = document.toString(options);
  if (!isUnsafe(text)) return text;
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && isUnsafe(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escapeQuoted(document.toString(options));
}
