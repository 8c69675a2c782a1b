import { RoutedCluster } from '../cluster.js';
import { NO_SERVER } from '../engines.js';
import { GaleraCluster } from '../galera-cluster.js';
import { type Fault, loseMembers } from '../lost-members.js';
import type { Scenario } from '../scenario.js';

/** Three Galera nodes, one of which serves reads and writes, and two instances that connect through a router. */
export const GALERA_MEMBER_LOST: Scenario = {
  name: 'galera-member-lost',
  goal: 'A3',
  about: 'of three MariaDB Galera nodes: the writer killed -9, another killed -9, the writer cut off by iptables',
  leftOut: { mysql: 'its clusters are groups', ...NO_SERVER },
  async run(conditions) {
    const cluster = await GaleraCluster.start();
    conditions.tell('the cluster of three is complete');
    return loseMembers(await RoutedCluster.start(cluster), faultsOf(cluster), conditions.isShort ? 1 : 3, conditions);
  },
};

/** The longest pause that goal A3 allows, in milliseconds. */
const MOST_PAUSE = 5_000;

function faultsOf(cluster: GaleraCluster): Fault[] {
  return [
    { what: 'writer killed', onPrimary: true, mostPause: MOST_PAUSE },
    { what: 'another node killed', onPrimary: false, mostPause: MOST_PAUSE },
    {
      what: 'writer cut off',
      onPrimary: true,
      begin: (member) => cluster.cut(member),
      end: (member) => cluster.heal(member),
      mostPause: MOST_PAUSE,
    },
  ];
}
