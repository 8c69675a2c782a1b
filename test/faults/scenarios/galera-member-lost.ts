import { RoutedCluster } from '../cluster.js';
import type { DatabaseServer } from '../database-server.js';
import { GaleraCluster } from '../galera-cluster.js';
import { type Fault, loseMembers } from '../lost-members.js';
import type { Scenario } from '../scenario.js';

/** Three Galera nodes of which one takes reads and writes, and two instances that reach it through a router. */
export const GALERA_MEMBER_LOST: Scenario = {
  name: 'galera-member-lost',
  goal: 'A3',
  about: 'of three MariaDB Galera nodes: the writer killed -9, another killed -9, the writer cut off by iptables',
  async run(conditions) {
    const cluster = await GaleraCluster.start();
    conditions.tell('the cluster of three is complete');
    return loseMembers(await RoutedCluster.start(cluster), faultsOf(cluster), conditions.isShort ? 1 : 3, conditions);
  },
};

function faultsOf(cluster: GaleraCluster): Fault[] {
  const killed = {
    begin: (member: DatabaseServer) => member.kill(),
    end: (member: DatabaseServer) => cluster.revive(member),
    mostPause: 5_000,
  };
  return [
    { what: 'writer killed', onPrimary: true, ...killed },
    { what: 'another node killed', onPrimary: false, ...killed },
    {
      what: 'writer cut off',
      onPrimary: true,
      begin: (member) => cluster.cut(member),
      end: (member) => cluster.heal(member),
      mostPause: 5_000,
    },
  ];
}
