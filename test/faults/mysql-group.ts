import { randomUUID } from 'node:crypto';
import type { RowDataPacket } from 'mysql2/promise';
import { freePort } from '../support/free-port.js';
import type { Cluster } from './cluster.js';
import { DatabaseServer } from './database-server.js';
import { until } from './processes.js';

/** Timeout of a status query to a member, in milliseconds. */
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

  /**
   * Joins a running server to the group after an expulsion or a restart. The other members decide when it has joined,
   * because a frozen server does not know yet that it was expelled.
   */
  async join(member: DatabaseServer): Promise<void> {
    const others = this.members.filter((other) => other !== member);
    await until(
      `the member on ${member.port} joins the group`,
      async () => {
        if (OUTSIDE.includes(stateIn(await view(member), member))) {
          const join = ['STOP GROUP_REPLICATION', RECOVERY_USER, 'START GROUP_REPLICATION'];
          await member.run(...join).catch(() => undefined);
        }
        const views = await Promise.all(others.map(view));
        return views.some((seen) => stateIn(seen, member) === 'ONLINE');
      },
      120_000,
    );
  }

  /** Returns the primary as reported by the first member that belongs to a majority. */
  async primary(): Promise<DatabaseServer | undefined> {
    const ports = await Promise.all(this.members.map(primaryBy));
    const port = ports.find((found) => found !== undefined);
    return this.members.find((member) => member.port === port);
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()));
  }
}

interface Seen {
  readonly port: number;
  readonly state: string;
  readonly role: string;
}

/** Returns the port of the primary; undefined if the member does not respond or belongs to no majority. */
async function primaryBy(member: DatabaseServer): Promise<number | undefined> {
  const seen = await view(member);
  const online = seen.filter(({ state }) => state === 'ONLINE');
  const primary = online.find(({ role }) => role === 'PRIMARY');
  const isMember = stateIn(seen, member) === 'ONLINE';
  return isMember && online.length * 2 > seen.length ? primary?.port : undefined;
}

/** Returns the group as a member sees it; empty if it does not respond. */
async function view(member: DatabaseServer): Promise<Seen[]> {
  const connection = await member.connect().catch(() => undefined);
  if (connection === undefined) return [];
  connection.on('error', () => undefined);
  try {
    const [rows] = await connection.query<(Seen & RowDataPacket)[]>({ sql: MEMBERS, timeout: PATIENCE });
    return rows;
  } catch {
    return [];
  } finally {
    connection.destroy();
  }
}

function stateIn(seen: readonly Seen[], { port }: DatabaseServer): string {
  return seen.find((member) => member.port === port)?.state ?? 'OFFLINE';
}

/** States in which a member needs START GROUP_REPLICATION. In other states it is joining or has joined. */
const OUTSIDE = ['OFFLINE', 'ERROR'];
const RECOVERY_USER =
  "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'root', SOURCE_PASSWORD = '' FOR CHANNEL 'group_replication_recovery'";
const MEMBERS =
  'SELECT member_port AS port, member_state AS state, member_role AS role FROM performance_schema.replication_group_members';
