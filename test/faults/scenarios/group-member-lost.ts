import { RoutedCluster } from '../cluster.js';
import { NO_SERVER } from '../engines.js';
import { type Fault, loseMembers } from '../lost-members.js';
import { MysqlGroup } from '../mysql-group.js';
import type { Scenario } from '../scenario.js';

/** Three MySQL servers with one primary, and two instances that connect to it through a router. */
export const GROUP_MEMBER_LOST: Scenario = {
  name: 'group-member-lost',
  goal: 'A3',
  about:
    'of a MySQL group of three: the primary killed -9, a secondary killed -9, the primary frozen until it is expelled',
  leftOut: { mariadb: 'its groups are Galera clusters', ...NO_SERVER },
  async run(conditions) {
    const group = await MysqlGroup.start();
    conditions.tell('the group of three is complete');
    return loseMembers(await RoutedCluster.start(group), faultsOf(group), conditions.isShort ? 1 : 3, conditions);
  },
};

/** Milliseconds. A group needs five seconds, which no setting changes, to suspect a silent member, and then elects. */
const MOST_PAUSE = 10_000;

function faultsOf(group: MysqlGroup): Fault[] {
  return [
    { what: 'primary killed', onPrimary: true, mostPause: MOST_PAUSE },
    { what: 'secondary killed', onPrimary: false, mostPause: MOST_PAUSE },
    {
      what: 'primary cut off',
      onPrimary: true,
      begin: (member) => member.freeze(),
      end: async (member) => {
        member.thaw();
        await group.join(member);
      },
      mostPause: MOST_PAUSE,
    },
  ];
}
