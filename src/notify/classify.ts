import { shownText, type SendOutcome } from '../model/index.ts';
import type { HttpResult } from './http.ts';
import { redact } from './secret.ts';

export interface ClassifyOptions {
  /** Those that were sent along: an answer may quote them. */
  readonly secrets: readonly string[];
  readonly now: () => Date;
}

const worthAnother = new Set([408, 425, 429]);
const longestWaitMs = 6 * 3_600_000;

/** What an answer means, by its status alone. */
export function classify(result: HttpResult, { secrets, now }: ClassifyOptions): SendOutcome {
  if (result.type === 'refused') return { type: 'refused', why: redact(result.why, secrets) };
  if (result.type === 'failed') return { type: 'retry', why: redact(result.why, secrets) };
  const { host, status, headers } = result;
  if (status >= 200 && status < 300) return { type: 'sent' };
  if (status >= 300 && status < 400) return { type: 'refused', why: redact(`${host} answered ${status}, a redirect${whereTo(headers['location'])}: redirects are not followed`, secrets) };
  const why = `${host} answered ${status}${quoteOf(result, secrets)}`;
  if (status === 410) return { type: 'gone', why };
  if (worthAnother.has(status) || status >= 500) return { type: 'retry', why, ...waitOf(headers['retry-after'], now) };
  return { type: 'refused', why };
}

/** `Retry-After` in seconds or as a date; nothing where it says neither. */
export function waitOf(retryAfter: string | undefined, now: () => Date): { readonly afterMs?: number } {
  const text = retryAfter?.trim() ?? '';
  if (text === '') return {};
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now().getTime();
  return Number.isNaN(ms) ? {} : { afterMs: Math.min(longestWaitMs, Math.max(0, Math.ceil(ms))) };
}

function whereTo(location: string | undefined): string {
  const host = URL.parse(location ?? '')?.host;
  return host === undefined || host === '' ? '' : ` to ${host}`;
}

/** What the service says about it, where that is a sentence and not a page. */
function quoteOf({ headers, text }: { readonly headers: Readonly<Record<string, string>>; readonly text: string }, secrets: readonly string[]): string {
  const said = redact(text, secrets).trim();
  if (said === '') return '';
  return /html/i.test(headers['content-type'] ?? '') || said.startsWith('<') ? ' with a page of HTML' : ` ${shownText(said)}`;
}
