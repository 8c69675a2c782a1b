/**
 * What the addresses of one client have in common: an IPv4 address is one client; of IPv6, whoever has one address has
 * the network of 64 bits round it (RFC 6177). IPv4 written as IPv6 is IPv4. Takes valid addresses only.
 */
export function clientNetwork(address: string): string {
  return networkOf(address, 4);
}

/** The same of one customer of a provider: of IPv6 the network of 48 bits, which each may get (RFC 6177). */
export function customerNetwork(address: string): string {
  return networkOf(address, 3);
}

/** `size`: how many groups of 16 bits an IPv6 network is named by. */
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

/** The eight groups of 16 bits. */
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

/** The last 32 bits may be written as IPv4. */
function pairs(dotted: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
}
