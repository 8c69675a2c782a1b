import { BlockList, isIP } from 'node:net';

/**
 * The special-purpose networks of the IANA registries. Each family has its own list, because a rule for IPv4-mapped
 * IPv6 addresses would match every IPv4 address, too.
 */
const SPECIAL_IPV4 = blockList('ipv4', [
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared between carriers and customers; metadata services
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's own services, at the same address for every machine in it
  '169.254.0.0/16', // link-local; metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; metadata services
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

const SPECIAL_IPV6 = blockList('ipv6', [
  // All but 2000::/3, of which alone global addresses are given out: unspecified, loopback, IPv4-mapped and -compatible,
  // NAT64, unique-local, link-local, site-local, multicast.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address in disguise
  '3fff::/20', // documentation
]);

/** Whether an IP address belongs to the public internet: not to this machine, its neighbours, or a tunnel to them. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL_IPV4.check(address, 'ipv4');
  return family === 6 && !SPECIAL_IPV6.check(address, 'ipv6');
}

function blockList(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
