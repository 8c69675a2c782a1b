import { RoutedCluster } from '../cluster.js';
import { NO_SERVER } from '../engines.js';
import { type Fault, loseMembers } from '../lost-members.js';
import { ReplicaPair } from '../replica-pair.js';
import type { Scenario } from '../scenario.js';

/** The replica has each commit before the primary acknowledges it. The router leads to the promoted server. */
export const REPLICA_PROMOTED: Scenario = {
  name: 'replica-promoted',
  goal: 'A4',
  about: 'a MariaDB primary killed -9, its semi-synchronous replica promoted',
  leftOut: { mysql: 'the statements for replicas are those of MariaDB', ...NO_SERVER },
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
