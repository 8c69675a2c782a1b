import { randomUUID } from 'node:crypto';
import type { RowDataPacket } from 'mysql2/promise';
import { freePort } from '../support/free-port.js';
import type { Cluster } from './cluster.js';
import { DatabaseServer } from './database-server.js';
import { until } from './processes.js';

/** How long a member may take to answer a question of the operator, in milliseconds. */
const PATIENCE = 1_000;

/** Three members of a MySQL group with one primary, each with a server of its own. */
export class MysqlGroup implements Cluster {
  private constructor(readonly members: readonly DatabaseServer[]) {}

  static async start(): Promise<MysqlGroup> {
    const name = randomUUID();
    const ports = [await freePort(), await freePort(), await freePort()];
    const seeds = ports.map((port) => `127.0.0.1:${port}`).join(',');
    const members: DatabaseServer[] = [];
    for (const [index, port] of ports.entries()) {
      members.push(
        await DatabaseServer.start('mysql', {
          options: [
            ...[`--server-id=${index + 1}`, '--gtid-mode=ON', '--enforce-gtid-consistency=ON'],
            ...['--report-host=127.0.0.1', '--plugin-load-add=group_replication.so'],
            ...[`--group-replication-group-name=${name}`, `--group-replication-group-seeds=${seeds}`],
            ...[`--group-replication-local-address=127.0.0.1:${port}`, '--group-replication-start-on-boot=OFF'],
            ...['--group-replication-member-expel-timeout=0', '--group-replication-unreachable-majority-timeout=5'],
          ],
        }),
      );
    }
    const group = new MysqlGroup(members);
    const [first, ...others] = members as [DatabaseServer, ...DatabaseServer[]];
    await first.run(
      'SET GLOBAL group_replication_bootstrap_group = ON',
      RECOVERY_USER,
      'START GROUP_REPLICATION',
      'SET GLOBAL group_replication_bootstrap_group = OFF',
    );
    for (const other of others) await group.join(other);
    return group;
  }

  async revive(member: DatabaseServer): Promise<void> {
    member.launch();
    await member.answering();
    await this.join(member);
  }

  /** Makes a member that runs, and was expelled or started anew, a member again. */
  async join(member: DatabaseServer): Promise<void> {
    const port = member.port;
    await until(
      `the member on ${port} joins the group`,
      async () => {
        await member.run(RECOVERY_USER, 'START GROUP_REPLICATION').catch(() => undefined);
        return (await this.primaryBy(member)) !== undefined;
      },
      120_000,
    );
  }

  /** Who is the primary, as the first member says that has a majority behind it. */
  async primary(): Promise<DatabaseServer | undefined> {
    const ports = await Promise.all(this.members.map((member) => this.primaryBy(member)));
    const port = ports.find((found) => found !== undefined);
    return this.members.find((member) => member.port === port);
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()));
  }

  /** The port of the primary; undefined where the member does not answer, or is not part of the group. */
  private async primaryBy(member: DatabaseServer): Promise<number | undefined> {
    const connection = await member.connect().catch(() => undefined);
    if (connection === undefined) return undefined;
    connection.on('error', () => undefined);
    try {
      const [rows] = await connection.query<RowDataPacket[]>({ sql: MEMBERS, timeout: PATIENCE });
      const online = rows.filter(({ state }) => state === 'ONLINE');
      const isMember = online.some(({ port }) => Number(port) === member.port);
      const primary = online.find(({ role }) => role === 'PRIMARY');
      return isMember && online.length * 2 > rows.length && primary !== undefined ? Number(primary.port) : undefined;
    } catch {
      return undefined;
    } finally {
      connection.destroy();
    }
  }
}

const RECOVERY_USER =
  "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'root', SOURCE_PASSWORD = '' FOR CHANNEL 'group_replication_recovery'";
const MEMBERS =
  'SELECT member_port AS port, member_state AS state, member_role AS role FROM performance_schema.replication_group_members';
