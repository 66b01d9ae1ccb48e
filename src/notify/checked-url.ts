import type { LookupAddress } from 'node:dns';
import { isIP, isIPv4, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { plainHost, type EgressGuard } from './egress-guard.ts';

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** A name that leads only to where nothing may be sent. Tomorrow it may lead elsewhere. */
export class ForbiddenAddress extends Error {
  readonly code = 'ForbiddenAddress';
}

export type CheckedUrl = { readonly type: 'allowed'; readonly url: URL } | { readonly type: 'refused'; readonly why: string };

/** What can be said of a URL before anything is looked up. A host that is an address is never looked up, so it is checked here. */
export function checkUrl(text: string, guard: EgressGuard): CheckedUrl {
  const refused = (why: string): CheckedUrl => ({ type: 'refused', why });
  const url = URL.parse(text);
  if (url === null) return refused('the URL of the destination is none: https://host/path is wanted');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused(`the URL of the destination at ${url.host} is to begin with https:// or http://`);
  if (url.username !== '' || url.password !== '') return refused(`the URL of the destination at ${url.host} holds a user or a password: they do not belong there`);
  const host = plainHost(url.hostname);
  if (isIP(host) === 0) return { type: 'allowed', url };
  // 0x7f.1, 017700000001 and 2130706433 are 127.0.0.1 to the parser; nobody honest writes them.
  if (isIPv4(host) && !isWritten(text, host)) return refused(`the URL of the destination spells the address ${host} in another way: write it as ${host}`);
  const why = guard.forbids(host, host);
  return why === undefined ? { type: 'allowed', url } : refused(`nothing is sent to ${url.host}: ${why}, and alerts.allowPrivate does not name it`);
}

function isWritten(text: string, host: string): boolean {
  const rest = text.trim().replace(/^https?:\/\//i, '');
  return rest.startsWith(host) && /^(?:[:/?#]|$)/.test(rest.slice(host.length));
}

/** Looks a name up once; the connection goes to one of the addresses that were checked. */
export function checkedLookup(guard: EgressGuard, resolve: Resolve): LookupFunction {
  const look = async (host: string): Promise<readonly LookupAddress[]> => {
    const checked = (await resolve(host)).map((entry) => ({ entry, why: guard.forbids(entry.address, host) }));
    const allowed = checked.flatMap(({ entry, why }) => (why === undefined ? [entry] : []));
    if (allowed.length === 0) throw new ForbiddenAddress(`${checked[0]?.why ?? 'it has no address'}, and alerts.allowPrivate does not name it`);
    return allowed;
  };
  return (host, options, callback) => {
    callbackify(look)(host, (error, allowed) => {
      const [first] = allowed ?? [];
      if (error !== null || first === undefined) callback(error, '');
      else if (options.all === true) callback(null, [...allowed]);
      else callback(null, first.address, first.family);
    });
  };
}
