import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

export interface EgressGuard {
  /** Why nothing may be sent to the address, or undefined where it may be. */
  forbids(address: string, host: string): string | undefined;
}

const privateRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '100.64.0.0/10',
  '::/96',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  // 6to4 and the local form of NAT64 hold an IPv4 address that this side of the network knows nothing about.
  '2002::/16',
  '64:ff9b:1::/48',
  'fc00::/7',
  'fec0::/10',
  'ff00::/8',
];

// Clouds hand out credentials there: the name of a host never allows it, only the address itself.
const metadataRanges = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::/32', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'];

/** `allowed`: names of hosts whose addresses may be private, addresses, and ranges of them (`10.1.0.0/16`). */
export function createEgressGuard(allowed: readonly string[]): EgressGuard {
  const [inside, metadata] = [rangesOf(privateRanges), rangesOf(metadataRanges)];
  const open = rangesOf(allowed.filter((entry) => isIP(addressOf(entry)) !== 0));
  const hosts = new Set(allowed.map(plainHost));
  return {
    forbids(address, host) {
      const plain = embeddedIPv4(address) ?? address;
      if (isIP(plain) === 0) return 'it is no address';
      if (holds(open, plain)) return undefined;
      if (holds(metadata, plain)) return `${address} is link-local, where clouds keep credentials`;
      return holds(inside, plain) && !hosts.has(plainHost(host)) ? `${address} is a private address` : undefined;
    },
  };
}

export function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const address = addressOf(range);
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    const whole = family === 'ipv4' ? 32 : 128;
    const [, bits = whole] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function addressOf(range: string): string {
  return plainHost(range.split('/')[0] ?? '');
}

function holds(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** The IPv4 address that a mapped one or one of NAT64 leads to. In networks with IPv6 only every service is behind the latter. */
function embeddedIPv4(address: string): string | undefined {
  if (!isIPv6(address)) return undefined;
  const words = wordsOf(address);
  const prefix = words.slice(0, 6).map((word) => word.toString(16)).join(':');
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return undefined;
  return words.slice(6).flatMap((word) => [word >> 8, word & 0xff]).join('.');
}

function wordsOf(address: string): readonly number[] {
  const bare = address.split('%')[0] ?? '';
  const [head = '', tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const read = (part: string): readonly number[] => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)));
  const [before, after] = [read(head), read(tail ?? '')];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
