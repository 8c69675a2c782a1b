import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { parse } from 'yaml';
import { folderFor, Process, until } from '../faults/processes.js';
import { freePort } from '../support/free-port.js';

const NAMES = ['database-1', 'database-2', 'database-3'];
/** With quotes and backslashes, because the scripts must escape them. */
const PASSWORDS = {
  root: `root's \\ "password"`,
  kalends: `kalends' \\`,
  kalends_migrate: `migrate' \\`,
  router: 'router"s',
};
const PATIENCE_MILLISECONDS = 120_000;
const run = promisify(execFile);

/** Replaces the host names, ports and file paths of the containers by local ones. */
type Rewrite = (text: string) => string;

/**
 * Runs the members, the keeper and the router of docker-compose.group.yml without containers, from the files in
 * deploy/mysql. Finds mysqld, mysql, mysqlrouter and mysqlrouter_keyring by PATH.
 */
export class Group {
  private constructor(
    private readonly folder: string,
    readonly ports: readonly number[],
    private readonly routerPort: number,
    readonly members: readonly Process[],
    private readonly keeper: Process,
    private readonly router: Process,
  ) {}

  /** Writes the files of three servers and starts none. */
  static async prepare(): Promise<Group> {
    const folder = folderFor('group');
    const ports = [await freePort(), await freePort(), await freePort()];
    const routerPort = await freePort();
    const rewrite: Rewrite = (text) =>
      NAMES.reduce(
        (done, name, index) =>
          done.replaceAll(`${name}:3306`, `127.0.0.1:${ports[index]}`).replaceAll(name, '127.0.0.1'),
        text.replaceAll('/tmp/', `${folder}/`).replace('bind_port = 3306', `bind_port = ${routerPort}`),
      );
    for (const file of ['member.cnf', 'keep-group.sh', 'router.sql', 'start-router.sh', 'mysqlrouter.conf']) {
      writeFileSync(join(folder, file), rewrite(readFileSync(join('deploy', 'mysql', file), 'utf8')));
    }
    for (const [user, password] of Object.entries(PASSWORDS)) writeFileSync(join(folder, user), password);
    const { services } = parse(readFileSync('docker-compose.group.yml', 'utf8'), { merge: true }) as Compose;
    const members = NAMES.map((name, index) => {
      const options = (services[name]?.command ?? []).map(rewrite);
      return new Process(join(folder, `${name}.log`), [
        'mysqld',
        ...serverOptions(folder, name, ports[index] ?? 0),
        ...options,
      ]);
    });
    await Promise.all(NAMES.map((name) => initialize(folder, name)));
    const env = {
      PATH: process.env.PATH ?? '',
      MEMBERS: rewrite(services['group-keeper']?.environment?.MEMBERS ?? ''),
    };
    const passwords = {
      MYSQL_ROOT_PASSWORD_FILE: join(folder, 'root'),
      MYSQL_PASSWORD_FILE: join(folder, 'kalends'),
      MYSQL_MIGRATE_PASSWORD_FILE: join(folder, 'kalends_migrate'),
      MYSQL_ROUTER_PASSWORD_FILE: join(folder, 'router'),
    };
    const script = (file: string) =>
      new Process(join(folder, `${file}.log`), ['bash', join(folder, file)], { env: { ...env, ...passwords } });
    return new Group(folder, ports, routerPort, members, script('keep-group.sh'), script('start-router.sh'));
  }

  start(): void {
    for (const process of [...this.members, this.keeper, this.router]) process.start();
  }

  async stop(): Promise<void> {
    for (const process of [this.router, this.keeper, ...this.members]) await process.end('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Kills a member, deletes its data and starts it again as with an empty volume. */
  async empty(index: number): Promise<void> {
    const name = NAMES[index] ?? '';
    await this.members[index]?.end('SIGKILL');
    rmSync(join(this.folder, name), { recursive: true });
    await initialize(this.folder, name);
    this.members[index]?.start();
  }

  /** Deletes the binary logs of a member, so that an empty member must clone its data. */
  async purge(index: number): Promise<void> {
    await this.ask(this.ports[index] ?? 0, 'root', 'FLUSH BINARY LOGS');
    await this.ask(this.ports[index] ?? 0, 'root', 'PURGE BINARY LOGS BEFORE NOW() + INTERVAL 1 DAY');
  }

  /** Restarts members that have exited, as Docker restarts containers. */
  restart(): void {
    for (const member of this.members) if (!member.isRunning) member.start();
  }

  /** Database settings as in docker-compose.group.yml, for an instance or for the migration. */
  settings(user: 'kalends' | 'kalends_migrate'): Record<string, string> {
    return {
      DATABASE_URL: `mysql://${user}@127.0.0.1:${this.routerPort}/kalends`,
      DATABASE_PASSWORD_FILE: join(this.folder, user),
    };
  }

  /** The log of the keeper so far. */
  get told(): string {
    return readFileSync(join(this.folder, 'keep-group.sh.log'), 'utf8');
  }

  /** Waits until `count` members are online and the router reaches the primary. Returns the index of the primary. */
  async online(count: number): Promise<number> {
    let primary = -1;
    const isSo = async () => {
      const rows = await this.ask(this.routerPort, 'router', MEMBERS).catch(() => []);
      const online = rows.filter(({ state }) => state === 'ONLINE');
      primary = this.ports.indexOf(Number(online.find(({ role }) => role === 'PRIMARY')?.port));
      return online.length === count && primary >= 0;
    };
    await until(`${count} members are online`, isSo, PATIENCE_MILLISECONDS).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.told}\n${this.router.lastWords()}`);
    });
    return primary;
  }

  private async ask(port: number, user: 'root' | 'router', sql: string): Promise<RowDataPacket[]> {
    const connection = await createConnection({
      host: '127.0.0.1',
      port,
      user,
      password: PASSWORDS[user],
      connectTimeout: 2_000,
    });
    try {
      const [rows] = await connection.query<RowDataPacket[]>({ sql, timeout: 2_000 });
      return rows;
    } finally {
      connection.destroy();
    }
  }
}

interface Compose {
  services: Record<string, { command?: string[]; environment?: Record<string, string> }>;
}

const MEMBERS =
  'SELECT member_port AS port, member_state AS state, member_role AS role FROM performance_schema.replication_group_members';

function serverOptions(folder: string, name: string, port: number): string[] {
  const files = ['socket', 'pid-file'].map((file) => `--${file}=${join(folder, `${name}.${file}`)}`);
  const own = [
    `--datadir=${join(folder, name)}`,
    `--port=${port}`,
    ...files,
    '--bind-address=127.0.0.1',
    '--mysqlx=OFF',
  ];
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  return [
    `--defaults-file=${join(folder, 'member.cnf')}`,
    ...own,
    ...user,
    '--secure-file-priv=',
    '--innodb-buffer-pool-size=64M',
  ];
}

/** Creates the root accounts as the image does on its first start, without binary log and time zones. */
async function initialize(folder: string, name: string): Promise<void> {
  const password = PASSWORDS.root.replaceAll('\\', '\\\\').replaceAll("'", "''");
  const file = join(folder, `${name}.sql`);
  const accounts = [
    `ALTER USER root@localhost IDENTIFIED BY '${password}';`,
    `CREATE USER root@'%' IDENTIFIED BY '${password}';`,
    "GRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;",
  ];
  writeFileSync(file, accounts.join('\n'));
  await run('mysqld', [...serverOptions(folder, name, 0), '--initialize-insecure', `--init-file=${file}`]);
}
