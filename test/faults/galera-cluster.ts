import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { RowDataPacket } from 'mysql2/promise';
import type { Cluster } from './cluster.js';
import { DatabaseServer } from './database-server.js';
import { until } from './processes.js';

const run = promisify(execFile);
const PROVIDER = process.env.TEST_GALERA_PROVIDER ?? '/usr/lib/galera/libgalera_smm.so';
/** Timeout of a status query to a node, in milliseconds. */
const PATIENCE = 1_000;

/** Three MariaDB nodes. One takes all writes. Each has its own IP address, so that iptables can cut it off. */
export class GaleraCluster implements Cluster {
  private writer: DatabaseServer | undefined;
  private readonly cutOff = new Set<string>();

  private constructor(
    readonly members: readonly DatabaseServer[],
    private readonly addresses: ReadonlyMap<DatabaseServer, string>,
  ) {
    process.once('exit', () =>
      [...this.cutOff].forEach((address) => rules('-D', address).forEach((rule) => execFileSync('iptables', rule))),
    );
  }

  static async start(): Promise<GaleraCluster> {
    const addresses = [1, 2, 3].map((number) => `127.77.${process.pid % 256}.${number}`);
    const nodes = new Map<DatabaseServer, string>();
    for (const address of addresses) {
      const first = nodes.size === 0 ? ['--wsrep-new-cluster'] : [];
      const options = optionsOf(address, addresses);
      // Not as root, because rsync would then transfer the data of a new node as user nobody.
      const node = await DatabaseServer.start('mariadb', { options, user: 'mysql', once: first });
      nodes.set(node, address);
      await until('a node joins the cluster', () => isInService(node));
    }
    return new GaleraCluster([...nodes.keys()], nodes);
  }

  /** Returns the same node while it belongs to the majority, because writes through two nodes would conflict. */
  async primary(): Promise<DatabaseServer | undefined> {
    const inService = await Promise.all(this.members.map(isInService));
    const able = this.members.filter((_, index) => inService[index]);
    if (this.writer === undefined || !able.includes(this.writer)) this.writer = able[0];
    return this.writer;
  }

  /** Starts the node at the position in its own log. The other nodes send the missing writes. */
  async revive(member: DatabaseServer): Promise<void> {
    const [, position] = /Recovered position: (\S+)/.exec(await member.ask('--wsrep-recover')) ?? [];
    if (position === undefined) throw new Error('the node does not know its position');
    member.launch(`--wsrep-start-position=${position}`);
    await this.rejoined(member);
  }

  /** Blocks the network between a node and the other nodes. Clients still reach it. */
  async cut(member: DatabaseServer): Promise<void> {
    const address = this.addresses.get(member) as string;
    this.cutOff.add(address);
    for (const rule of rules('-A', address)) await run('iptables', rule);
  }

  async heal(member: DatabaseServer): Promise<void> {
    const address = this.addresses.get(member) as string;
    for (const rule of rules('-D', address)) await run('iptables', rule);
    this.cutOff.delete(address);
    await this.rejoined(member);
  }

  async stop(): Promise<void> {
    for (const member of this.members) await member.stop();
  }

  private async rejoined(member: DatabaseServer): Promise<void> {
    await member.answering();
    await until('the node belongs to the cluster again', () => isInService(member));
  }
}

function optionsOf(address: string, addresses: readonly string[]): string[] {
  const provider = {
    'gmcast.listen_addr': `tcp://${address}:4567`,
    'ist.recv_addr': address,
    // A silent node is suspected after two seconds; the default is five.
    'evs.suspect_timeout': 'PT2S',
    'evs.keepalive_period': 'PT0.5S',
    'evs.inactive_check_period': 'PT0.5S',
  };
  const told = Object.entries(provider).map(([key, value]) => `${key}=${value}`);
  return [
    ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', '--innodb-log-file-size=32M', '--wsrep-on=ON'],
    ...[`--wsrep-provider=${PROVIDER}`, `--wsrep-node-address=${address}`, '--wsrep-sst-method=rsync'],
    ...[`--wsrep-cluster-address=gcomm://${addresses.join(',')}`, `--wsrep-provider-options=${told.join(';')}`],
  ];
}

/** Returns whether a node belongs to the majority and is synchronized. */
async function isInService(node: DatabaseServer): Promise<boolean> {
  const connection = await node.connect().catch(() => undefined);
  if (connection === undefined) return false;
  connection.on('error', () => undefined);
  try {
    const [rows] = await connection.query<RowDataPacket[]>({ sql: STATUS, timeout: PATIENCE });
    const status = Object.fromEntries(
      rows.map(({ Variable_name, Value }) => [Variable_name as string, Value as string]),
    );
    return status.wsrep_cluster_status === 'Primary' && status.wsrep_local_state_comment === 'Synced';
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

const STATUS = "SHOW STATUS WHERE Variable_name IN ('wsrep_cluster_status', 'wsrep_local_state_comment')";

/** Returns iptables rules that drop packets between an address and the other nodes. */
function rules(action: '-A' | '-D', address: string): string[][] {
  return [
    [action, 'INPUT', '-s', address, '!', '-d', address, '-j', 'DROP'],
    [action, 'INPUT', '!', '-s', address, '-d', address, '-j', 'DROP'],
  ];
}
