import { BlockList, isIP } from 'node:net';
import { SetpointError } from '../../model/index.ts';
import type { ProxySettings } from '../credentials.ts';

export interface Proxy {
  /** Without credentials: it may be shown. */
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
}

export function proxyFor(target: URL, settings: ProxySettings = {}): Proxy | undefined {
  const text = target.protocol === 'https:' ? settings.https : settings.http;
  if (text === undefined || isExcepted(target, settings.except ?? '')) return undefined;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new SetpointError('RepositoryInvalid', `the proxy for ${target.host} must be http://HOST:PORT or https://HOST:PORT: check HTTPS_PROXY, HTTP_PROXY and the proxy of its credentials`);
  }
  const { username, password } = url;
  return {
    url: url.origin,
    ...(username !== '' && { username: decoded(username) }),
    ...(password !== '' && { password: decoded(password) }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** NO_PROXY as curl and Go read it: names with all below them, addresses, networks, each with or without a port; `*` for all. */
function isExcepted({ hostname, port, protocol }: URL, except: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const targetPort = port || (protocol === 'https:' ? '443' : '80');
  return except
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', entryPort] = /^(\[[^\]]*\]|[^:]*|[^:]*:[^:]*:.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      if (entryPort !== undefined && entryPort !== targetPort) return false;
      const bare = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
      return bare.includes('/') ? isInNetwork(host, bare) : host === bare || (isIP(host) === 0 && bare !== '' && host.endsWith(`.${bare}`));
    });
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  const version = isIP(address);
  const size = Number(bits);
  if (version === 0 || version !== isIP(host) || !/^\d+$/.test(bits) || size > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, size, family);
  return list.check(host, family);
}
