/** An integer as Go types it: `uint` is beyond int64 and within uint64. */
export type GoInteger =
  | { readonly kind: 'int'; readonly value: number | bigint }
  | { readonly kind: 'uint'; readonly value: bigint };

const smallDecimal = /^[1-9]\d{0,14}$/;
const integerForms: readonly { readonly form: RegExp; readonly prefix: string }[] = [
  { form: /^([-+]?)()([1-9]\d*)$/, prefix: '' },
  { form: /^([-+]?)0[xX](0*)([0-9a-fA-F]+)$/, prefix: '0x' },
  { form: /^([-+]?)0[bB](0*)([01]+)$/, prefix: '0b' },
  { form: /^([-+]?)0[oO]?(0*)([0-7]+)$/, prefix: '0o' },
  { form: /^([-+]?)()(0)$/, prefix: '' },
  // Go strips a lower-case 0b by itself and parses what is left, sign included.
  { form: /^0b([-+])(0*)([01]+)$/, prefix: '0b' },
];
// 64 binary digits hold every uint64; a longer run of digits is not worth a BigInt.
const mostDigits = 64;
const [minInt64, maxInt64, maxUint64] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n];

/** Go's ParseInt and ParseUint with base 0: prefixes, and a leading zero means octal. */
export function parseGoInteger(text: string): GoInteger | undefined {
  if (smallDecimal.test(text)) return { kind: 'int', value: Number(text) };
  for (const { form, prefix } of integerForms) {
    const [, sign, , digits] = form.exec(text) ?? [];
    if (digits === undefined) continue;
    if (digits.length > mostDigits) return undefined;
    const magnitude = BigInt(prefix + digits);
    const value = sign === '-' ? -magnitude : magnitude;
    if (value >= minInt64 && value <= maxInt64) return { kind: 'int', value: exactInteger(value) };
    return sign === '' && value <= maxUint64 ? { kind: 'uint', value } : undefined;
  }
  return undefined;
}

const decimalFloat = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

/** Undefined where Go fails, which includes what overflows a double. */
export function parseGoFloat(text: string): number | undefined {
  if (!decimalFloat.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export function exactInteger(value: bigint): number | bigint {
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

/**
 * A double as Go prints it in JSON and reads it back: whole numbers below 1e21 are printed without an exponent, so they
 * come back as integers. JavaScript prints the same digits.
 */
export function exactDouble(value: number): number | bigint {
  if (value === 0) return 0;
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21 ? BigInt(String(value)) : value;
}

/** The shortest decimal that rounds to the same 32-bit float, as Go's %g: what a float becomes as a map key. */
export function float32Key(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return '.nan';
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  let shortest = single.toExponential(8);
  for (let digits = 0; digits < 8; digits += 1) {
    const candidate = single.toExponential(digits);
    if (Math.fround(Number(candidate)) === single) {
      shortest = candidate;
      break;
    }
  }
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = /^(-?)(\d)(?:\.(\d+))?e([-+]\d+)$/.exec(shortest) ?? [];
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) {
    const padded = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}e${exponent < 0 ? '-' : '+'}${padded}`;
  }
  return Number(shortest).toFixed(Math.max(0, fraction.length - exponent));
}
