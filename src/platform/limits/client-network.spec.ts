import { clientNetwork, customerNetwork } from './client-network.js';

describe('clientNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:FFFF:192.0.2.7', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['', ''],
  ])('%s belongs to %s', (address, network) => expect(clientNetwork(address)).toBe(network));

  it('is the same for both ends of a network, and another for its neighbour', () => {
    const [first, last] = ['2001:db8:0:7::', '2001:db8:0:7:ffff:ffff:ffff:ffff'].map(clientNetwork);
    expect(first).toBe(last);
    expect(clientNetwork('2001:db8:0:8::')).not.toBe(first);
  });
});

describe('customerNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::', '2001:db8:1::/48'],
    ['2001:db8:2::', '2001:db8:2::/48'],
    ['', ''],
  ])('%s belongs to %s', (address, network) => expect(customerNetwork(address)).toBe(network));
});
