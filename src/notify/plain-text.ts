import { stringifyJson, type Json } from '../model/index.ts';

export const longestValue = 200;

const visible: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text from outside on one line, bounded: line ends are made visible, what steers a terminal or the direction of writing is left out. */
export function plainText(text: string, longest: number): string {
  // Cut first: a hundred kilobytes need no cleaning.
  const clean = text
    .slice(0, longest * 2)
    .toWellFormed()
    .replaceAll(/[\n\r\t]/g, (sign) => visible[sign] ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  return cut(text.length > longest * 2 ? `${clean}…` : clean, longest);
}

/** At most so many characters (UTF-16 units), an ellipsis included; never half of one. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, Math.max(0, longest - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** `3`, `nginx:1.27`, `"3"`, `{"a":1}`: a text that could be taken for something else is quoted. */
export function shownValue(value: Json): string {
  const isPlain = typeof value === 'string' && /^[\w./:@+-]+$/.test(value) && !/^(?:true|false|null|[\d.+-][\d.e+-]*)$/i.test(value);
  return plainText(isPlain ? value : asJson(value), longestValue);
}

function asJson(value: Json): string {
  return stringifyJson(typeof value === 'string' ? value.slice(0, longestValue * 2) : value);
}
