import { headerOf, type Delivery } from './provider.ts';

/** The JSON in a body that may be a form with the one field `payload`: the bytes themselves where it is none. Parses nothing. */
export function jsonOf({ headers, body }: Delivery): Buffer | string | undefined {
  const contentType = headerOf(headers, 'content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType)) return body;
  const [, value] = /^payload=([^&]*)$/.exec(body.toString()) ?? [];
  if (value === undefined) return undefined;
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
