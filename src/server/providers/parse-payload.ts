import { parseJsonOrUndefined, type Json } from '../../model/index.ts';
import { jsonOf } from './json-of.ts';
import type { Delivery, Provider } from './provider.ts';

/** Only for a delivery whose signature was checked. Undefined where the body is not what this sender sends. */
export function parsePayload(delivery: Delivery, encoding: Provider['encoding']): Json | undefined {
  const text = (encoding === 'json-or-form' ? jsonOf(delivery) : delivery.body)?.toString();
  if (text === '' && encoding === 'json-or-nothing') return {};
  return text === undefined ? undefined : parseJsonOrUndefined(text);
}
