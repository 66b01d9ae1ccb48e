import { parseGoFloat, parseGoInteger, type GoInteger } from './go-numbers.ts';

/** A scalar as Go types it. The types matter for keys: Go holds 1, 1.0 and "1" apart in one map. */
export type GoScalar =
  | GoInteger
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

export const tagPrefix = 'tag:yaml.org,2002:';

const words: ReadonlyMap<string, GoScalar> = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(asWord({ kind: 'bool', value: true })),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(asWord({ kind: 'bool', value: false })),
  ...['', '~', 'null', 'Null', 'NULL'].map(asWord({ kind: 'null' })),
  ...['.nan', '.NaN', '.NAN'].map(asWord({ kind: 'float', value: Number.NaN })),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map(asWord({ kind: 'float', value: Number.POSITIVE_INFINITY })),
  ...['-.inf', '-.Inf', '-.INF'].map(asWord({ kind: 'float', value: Number.NEGATIVE_INFINITY })),
]);

function asWord(scalar: GoScalar): (word: string) => readonly [string, GoScalar] {
  return (word) => [word, scalar];
}

const numberStart = /^[-+\d]/;
// Behind a leading dot Go keeps the underscores and accepts them only between digits.
const dotFloat = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/;

/** What an untagged plain scalar is. Timestamps and base-60 numbers stay strings. */
export function resolvePlain(text: string): GoScalar {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (numberStart.test(text)) return resolveNumber(text.replaceAll('_', '')) ?? { kind: 'string', value: text };
  const float = dotFloat.test(text) ? parseGoFloat(text.replaceAll('_', '')) : undefined;
  return float === undefined ? { kind: 'string', value: text } : { kind: 'float', value: float };
}

function resolveNumber(text: string): GoScalar | undefined {
  const integer = parseGoInteger(text);
  if (integer !== undefined) return integer;
  const float = parseGoFloat(text);
  return float === undefined ? undefined : { kind: 'float', value: float };
}

const kindsOfTag: Readonly<Record<string, readonly GoScalar['kind'][]>> = {
  bool: ['bool'],
  int: ['int', 'uint'],
  float: ['float', 'int'],
  null: ['null'],
};

/** What a tagged scalar is, in any style; undefined where Go cannot decode the text as that tag. */
export function resolveTagged(tag: string, text: string): GoScalar | undefined {
  const core = tag.startsWith(tagPrefix) ? tag.slice(tagPrefix.length) : '';
  if (core === 'binary') return decodeBinary(text);
  if (core === 'timestamp') return isTimestamp(text) ? { kind: 'string', value: text } : undefined;
  const kinds = Object.hasOwn(kindsOfTag, core) ? kindsOfTag[core] : undefined;
  if (kinds === undefined) return { kind: 'string', value: text };
  const scalar = resolvePlain(text);
  if (!kinds.includes(scalar.kind)) return undefined;
  return core === 'float' && scalar.kind === 'int' ? { kind: 'float', value: Number(scalar.value) } : scalar;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decodeBinary(text: string): GoScalar | undefined {
  const encoded = text.replaceAll(/[\r\n]/g, '');
  return base64.test(encoded) ? { kind: 'string', value: decodeUtf8(Buffer.from(encoded, 'base64')) } : undefined;
}

/** Go puts one U+FFFD for each byte that is not part of a character. */
function decodeUtf8(bytes: Buffer): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const read = (from: number, to: number): string | undefined => {
    try {
      return decoder.decode(bytes.subarray(from, to));
    } catch {
      return undefined;
    }
  };
  const whole = read(0, bytes.length);
  if (whole !== undefined) return whole;
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = read(at, at + length);
    parts.push(character ?? '\uFFFD');
    at += character === undefined ? 1 : length;
  }
  return parts.join('');
}

const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d{2}:\d{2})| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

function isTimestamp(text: string): boolean {
  const [year = 0, month = 0, day = 0, ...times] = (timestamp.exec(text) ?? []).slice(1).map(Number);
  const [hour = 0, minute = 0, second = 0] = times.filter((part) => !Number.isNaN(part));
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return false;
  return day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
