/**
 * Returns the network of one client: an IPv4 address, or the /64 of an IPv6 address, because a client has all of its
 * addresses (RFC 6177). IPv4-mapped IPv6 counts as IPv4. Accepts valid addresses only.
 */
export function clientNetwork(address: string): string {
  return networkOf(address, 4);
}

/** Returns the network of one customer: an IPv4 address or an IPv6 /48, which providers may assign (RFC 6177). */
export function customerNetwork(address: string): string {
  return networkOf(address, 3);
}

/** `size`: the groups of 16 bits in the prefix of an IPv6 network. */
function networkOf(address: string, size: number): string {
  if (!address.includes(':')) return address;
  const groups = groupsOf(address.replace(/%[^]*/, ''));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
    return bytes.join('.');
  }
  const network = groups.slice(0, size).map((group) => group.toString(16));
  return `${network.join(':')}::/${size * 16}`;
}

/** Returns the eight groups of 16 bits. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address.split('::').map(written);
  const left = Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...left, ...after];
}

function written(part: string): number[] {
  return part === ''
    ? []
    : part.split(':').flatMap((group) => (group.includes('.') ? pairs(group) : parseInt(group, 16)));
}

/** Parses the last 32 bits in IPv4 notation. */
function pairs(dotted: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
}
