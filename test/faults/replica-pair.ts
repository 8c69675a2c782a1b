import type { RowDataPacket } from 'mysql2/promise';
import type { Cluster } from './cluster.js';
import { DatabaseServer } from './database-server.js';
import { until } from './processes.js';

/** A commit waits up to an hour for the replica, so that no acknowledged write is lost (goal A4). */
const SEMI_SYNC = [
  ...['--log-bin=binlog', '--sync-binlog=1', '--log-slave-updates=ON', '--gtid-strict-mode=ON'],
  ...['--rpl-semi-sync-slave-enabled=ON', '--rpl-semi-sync-master-wait-point=AFTER_SYNC'],
  '--rpl-semi-sync-master-timeout=3600000',
];

/** A MariaDB primary and its replica. */
export class ReplicaPair implements Cluster {
  private lastId = 2;

  private constructor(
    private leader: DatabaseServer | undefined,
    private follower: DatabaseServer,
  ) {}

  static async start(): Promise<ReplicaPair> {
    const pair = new ReplicaPair(await newServer(1), await newServer(2));
    await pair.follow();
    return pair;
  }

  get members(): readonly DatabaseServer[] {
    return this.leader === undefined ? [this.follower] : [this.leader, this.follower];
  }

  primary(): Promise<DatabaseServer | undefined> {
    return Promise.resolve(this.leader);
  }

  /** Fails over as an operator would: the replica applies its relay log and becomes the primary. */
  async promote(): Promise<void> {
    this.leader = undefined;
    await this.follower.run('STOP SLAVE IO_THREAD');
    await until('the replica has carried out all it has', () => this.isAtEnd());
    await this.follower.run('STOP SLAVE', 'RESET SLAVE ALL', 'SET GLOBAL read_only = OFF');
    this.leader = this.follower;
  }

  /** Starts a new replica, because the killed primary may have writes that the other server never received. */
  async revive(): Promise<void> {
    this.lastId += 1;
    this.follower = await newServer(this.lastId);
    await this.follow();
  }

  async stop(): Promise<void> {
    // A primary does not shut down while a commit waits for its replica.
    await this.leader?.run('SET GLOBAL rpl_semi_sync_master_enabled = OFF');
    await Promise.all(this.members.map((member) => member.stop()));
  }

  /** Starts the replication, from the first write on. */
  private async follow(): Promise<void> {
    const { leader, follower } = this;
    if (leader === undefined) throw new Error('there is no primary');
    await follower.run(
      'SET GLOBAL read_only = ON',
      `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${leader.port}, MASTER_USER = 'root',
       MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1`,
      'START SLAVE',
    );
    await follower.run(`SELECT MASTER_GTID_WAIT('${await position(leader)}', 120)`);
    await leader.run('SET GLOBAL rpl_semi_sync_master_enabled = ON');
  }

  private async isAtEnd(): Promise<boolean> {
    const connection = await this.follower.connect();
    const [[status]] = await connection.query<RowDataPacket[]>('SHOW SLAVE STATUS');
    await connection.end();
    return String(status?.Slave_SQL_Running_State).startsWith('Slave has read all relay log');
  }
}

function newServer(id: number): Promise<DatabaseServer> {
  return DatabaseServer.start('mariadb', { options: [`--server-id=${id}`, ...SEMI_SYNC] });
}

async function position(server: DatabaseServer): Promise<string> {
  const connection = await server.connect();
  const [[row]] = await connection.query<RowDataPacket[]>('SELECT @@gtid_current_pos AS position');
  await connection.end();
  return String(row?.position);
}
