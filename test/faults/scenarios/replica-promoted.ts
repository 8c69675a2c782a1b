import { RoutedCluster } from '../cluster.js';
import { type Fault, loseMembers } from '../lost-members.js';
import { ReplicaPair } from '../replica-pair.js';
import type { Scenario } from '../scenario.js';

/** A primary with a replica that has each commit before it is answered; the router leads to whoever is promoted. */
export const REPLICA_PROMOTED: Scenario = {
  name: 'replica-promoted',
  goal: 'A4',
  about: 'a MariaDB primary killed -9, its semi-synchronous replica promoted',
  async run(conditions) {
    const pair = await ReplicaPair.start();
    const fault: Fault = {
      what: 'primary killed',
      onPrimary: true,
      begin: async (primary) => {
        await primary.kill();
        await pair.promote();
      },
      mostPause: 5_000,
    };
    return loseMembers(await RoutedCluster.start(pair), [fault], conditions.isShort ? 1 : 5, conditions);
  },
};
