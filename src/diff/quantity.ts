import type { Json } from '../model/index.ts';

const shape = /^([+-]?)(\d*)(?:\.(\d*))?(?:(Ki|Mi|Gi|Ti|Pi|Ei)|([numkMGTPE])|[eE]([+-]?\d{1,3}))?$/;
const binary: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n };
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** Exact: a whole number of units of ten to the power of `exponent`. */
interface Quantity {
  readonly units: bigint;
  readonly exponent: number;
  readonly family: 'binary' | 'decimal' | 'exponent';
}

/**
 * Whether the server stores two quantities as the same text. It shortens within a family of suffixes (1024Mi is 1Gi, 1000m
 * is 1) and keeps the family that was written, so an equal amount in another family is for the server to judge.
 */
export function sameQuantity(a: Json, b: Json): 'equal' | 'different' | 'unsure' {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left === undefined || right === undefined) return 'unsure';
  if (!isSameAmount(left, right)) return 'different';
  return left.family === right.family ? 'equal' : 'unsure';
}

/** Whether two texts are the same amount, in whatever spelling: for kinds in which the server keeps the spelling. */
export function sameAmount(a: Json | undefined, b: Json | undefined): boolean {
  const [left, right] = [parseQuantity(a ?? null), parseQuantity(b ?? null)];
  return left !== undefined && right !== undefined && isSameAmount(left, right);
}

function isSameAmount(left: Quantity, right: Quantity): boolean {
  const exponent = Math.min(left.exponent, right.exponent);
  return scaled(left, exponent) === scaled(right, exponent);
}

function parseQuantity(value: Json): Quantity | undefined {
  const text = typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
  const match = text === undefined ? null : shape.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', binarySuffix, decimalSuffix, exponentSuffix] = match;
  if (whole === '' && fraction === '') return undefined;
  const magnitude = BigInt(whole + fraction) << (binarySuffix === undefined ? 0n : (binary[binarySuffix] ?? 0n));
  const power = decimalSuffix === undefined ? Number(exponentSuffix ?? 0) : (decimal[decimalSuffix] ?? 0);
  const family = binarySuffix !== undefined ? 'binary' : exponentSuffix !== undefined ? 'exponent' : 'decimal';
  const exact = { units: sign === '-' ? -magnitude : magnitude, exponent: power - fraction.length, family } as const;
  // Finer than a billionth is rounded by the server; equality is not for us to prove there.
  return exact.exponent < -9 && exact.units % 10n ** BigInt(-9 - exact.exponent) !== 0n ? undefined : exact;
}

function scaled({ units, exponent }: Quantity, to: number): bigint {
  return units * 10n ** BigInt(exponent - to);
}
