// Which addresses a message may go to. A server that posts to any address would let those who create alerts reach what only the
// server can reach: its own ports, its private network, and the metadata service of its cloud.

import { BlockList, isIPv4 } from 'node:net';

/** Addresses that are private to a machine or a network, and that a setting allows. */
const PRIVATE = listOf(
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared by the customers of a provider (CGNAT)
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
);

/** Never: no receiver of messages has one of these addresses. */
const NEVER = listOf(
  ['0.0.0.0', 8],
  ['100.100.100.200', 32], // metadata service (Alibaba Cloud)
  ['168.63.129.16', 32], // metadata service (Azure)
  ['169.254.0.0', 16], // link-local, with the metadata service of most clouds
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4],
  ['fd00:ec2::', 32], // metadata service (AWS)
  ['fd20:ce::', 32], // metadata service (Google Cloud)
);

/** Special addresses within the block of IPv6 that is routed publicly. */
const SPECIAL_IPV6 = listOf(
  ['2001::', 23], // protocol assignments, with Teredo, which contains an IPv4 address
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4, which contains an IPv4 address
  ['3fff::', 20],
);

/**
 * All other IPv6 addresses are refused: loopback, link-local, multicast, and those that contain an IPv4 address, whatever that is:
 * mapped (::ffff:0:0/96), compatible (::/96) and translated (NAT64, 64:ff9b::/96).
 */
const PUBLIC_IPV6 = listOf(['2000::', 3]);

export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  // A zone (fe80::1%eth0) is that of a link-local address.
  if (address.includes('%') || has(NEVER, address, family)) return false;
  if (has(PRIVATE, address, family)) return allowPrivate;
  return family === 'ipv4' || (has(PUBLIC_IPV6, address, family) && !has(SPECIAL_IPV6, address, family));
}

function listOf(...subnets: readonly (readonly [start: string, bits: number])[]): BlockList[] {
  // One list per family: a list of both finds an IPv4 subnet for an IPv6 address that maps into it.
  const [four, six] = [new BlockList(), new BlockList()];
  for (const [start, bits] of subnets) {
    if (isIPv4(start)) four.addSubnet(start, bits, 'ipv4');
    else six.addSubnet(start, bits, 'ipv6');
  }
  return [four, six];
}

function has([four, six]: BlockList[], address: string, family: 'ipv4' | 'ipv6'): boolean {
  return (family === 'ipv4' ? four : six)!.check(address, family);
}
