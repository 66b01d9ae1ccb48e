import { describe, expect, test } from 'vitest';
import { createEgressGuard } from '../../../src/notify/egress-guard.ts';

const guard = createEgressGuard([]);

describe('nothing is sent to', () => {
  test.each([
    ['this host', '127.0.0.1'],
    ['this host, the last of its addresses', '127.255.255.254'],
    ['this host in IPv6', '::1'],
    ['no address', '0.0.0.0'],
    ['no address in IPv6', '::'],
    ['10/8', '10.96.0.1'],
    ['172.16/12', '172.31.255.255'],
    ['192.168/16', '192.168.1.1'],
    ['carriers’ networks', '100.64.0.1'],
    ['link-local addresses', '169.254.1.1'],
    ['the metadata of clouds', '169.254.169.254'],
    ['the metadata of AWS in IPv6', 'fd00:ec2::254'],
    ['the metadata of Alibaba', '100.100.100.200'],
    ['the wire server of Azure', '168.63.129.16'],
    ['the metadata of Oracle', '192.0.0.192'],
    ['link-local addresses in IPv6', 'fe80::1'],
    ['link-local addresses with a zone', 'fe80::1%eth0'],
    ['unique local addresses', 'fd12:3456::1'],
    ['many at once', '239.1.2.3'],
    ['everybody', '255.255.255.255'],
    ['many at once in IPv6', 'ff02::1'],
    ['a private address that is mapped', '::ffff:10.0.0.1'],
    ['a private address that is mapped, in hexadecimal', '::ffff:7f00:1'],
    ['the metadata of clouds, mapped', '::ffff:a9fe:a9fe'],
    ['an old compatible address', '::127.0.0.1'],
    ['a private address behind NAT64', '64:ff9b::a00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:53aa:64c::1'],
    ['what is no address', 'localhost'],
  ])('%s', (_what, address) => {
    expect(guard.forbids(address, 'hooks.example.com')).toEqual(expect.any(String));
  });
});

test.each(['93.184.216.34', '172.32.0.1', '100.128.0.1', '11.0.0.1', '2606:2800:220:1::1', '::ffff:93.184.216.34', '64:ff9b::5db8:d822'])('%s is anybody’s', (address) => {
  expect(guard.forbids(address, 'hooks.example.com')).toBeUndefined();
});

describe('what is allowed', () => {
  test.each([
    ['a range', ['10.1.0.0/16'], '10.1.2.3', true],
    ['what is beside the range', ['10.1.0.0/16'], '10.2.0.1', false],
    ['an address', ['127.0.0.1'], '127.0.0.1', true],
    ['an address, mapped', ['127.0.0.1'], '::ffff:127.0.0.1', true],
    ['an address of IPv6', ['::1'], '::1', true],
    ['an address of IPv6 in brackets', ['[::1]'], '::1', true],
    ['a range of IPv6', ['fd12::/16'], 'fd12:3456::1', true],
    ['a host', ['alerts.internal'], '10.0.0.7', true],
    ['a host in capitals with a dot at its end', ['Alerts.Internal.'], '10.0.0.7', true],
    ['another host', ['other.internal'], '10.0.0.7', false],
    ['a host does not lead to metadata', ['alerts.internal'], '169.254.169.254', false],
    ['a host does not lead to metadata in IPv6', ['alerts.internal'], 'fd00:ec2::254', false],
    ['metadata by its own address', ['169.254.169.254/32'], '169.254.169.254', true],
  ])('%s', (_what, allowed, address, isAllowed) => {
    expect(createEgressGuard(allowed).forbids(address, 'alerts.internal') === undefined).toBe(isAllowed);
  });
});
