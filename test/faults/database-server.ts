import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Connection, createConnection } from 'mysql2/promise';
import { freePort } from '../support/free-port.js';
import type { ServerEngine } from './engines.js';
import { folderFor, Process, until } from './processes.js';

const run = promisify(execFile);
const EXTENSIVE = { maxBuffer: 64 * 1024 * 1024 };

/** Start commands of the servers: the program and its options, separated by blanks. */
const COMMANDS: Record<ServerEngine, string[]> = {
  mariadb: (process.env.TEST_MARIADBD ?? 'mariadbd').split(' '),
  mysql: (process.env.TEST_MYSQLD ?? 'mysqld').split(' '),
};
const MARIADB_INSTALL = process.env.TEST_MARIADB_INSTALL_DB ?? 'mariadb-install-db';

const IS_ROOT = process.getuid?.() === 0;

interface Habits {
  /** Further options of the server. */
  readonly options?: readonly string[];
  /** The folder of its data; by default a temporary one. */
  readonly folder?: string;
  /** The system user of the server if root starts it. */
  readonly user?: string;
  /** Options of the first start only. */
  readonly once?: readonly string[];
}

/** A database server with its own port and folder. */
export class DatabaseServer {
  private constructor(
    readonly engine: ServerEngine,
    readonly port: number,
    readonly folder: string,
    private readonly server: Process,
  ) {}

  /** Prepares a server and starts it. */
  static async start(engine: ServerEngine, habits: Habits = {}): Promise<DatabaseServer> {
    const { options = [], folder = folderFor(engine), user = 'root', once = [] } = habits;
    const port = await freePort();
    const data = join(folder, 'data');
    const as = IS_ROOT ? [`--user=${user}`] : [];
    if (IS_ROOT && user !== 'root') await run('chown', [user, folder]);
    await prepare(engine, data, as);
    const command = [
      ...COMMANDS[engine],
      ...['--no-defaults', ...as, `--datadir=${data}`, `--port=${port}`, '--bind-address=127.0.0.1'],
      ...[`--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`, `--tmpdir=${folder}`],
      ...['--innodb-buffer-pool-size=128M', '--innodb-flush-log-at-trx-commit=1'],
      ...(engine === 'mysql' ? ['--mysqlx=OFF', '--sync-binlog=1', '--secure-file-priv='] : []),
      ...options,
    ];
    const server = new DatabaseServer(engine, port, folder, new Process(join(folderFor('log'), engine), command));
    server.launch(...once);
    await server.answering();
    return server;
  }

  url(database: string): string {
    return `mysql://root@127.0.0.1:${this.port}/${database}`;
  }

  get isRunning(): boolean {
    return this.server.isRunning;
  }

  /** Starts the server. `options` apply to this start only. */
  launch(...options: readonly string[]): void {
    this.server.start(options);
  }

  /** Runs the program with options that make it exit by itself. Returns its output. */
  async ask(...options: readonly string[]): Promise<string> {
    const [file = '', ...args] = this.server.command;
    const { stdout, stderr } = await run(file, [...args, ...options], EXTENSIVE);
    return stdout + stderr;
  }

  /** Waits until the server accepts connections. Returns the waiting time in milliseconds. */
  answering(): Promise<number> {
    return until(`${this.engine} answers`, async () => {
      if (!this.server.isRunning) throw new Error(`${this.engine} ended: ${this.server.lastWords()}`);
      return this.connect().then(
        async (connection) => (await connection.end(), true),
        () => false,
      );
    });
  }

  /** Opens a connection as an operator. */
  connect(database?: string): Promise<Connection> {
    const known = database === undefined ? {} : { database };
    return createConnection({ host: '127.0.0.1', port: this.port, user: 'root', connectTimeout: 1_000, ...known });
  }

  /** Runs statements as an operator. */
  async run(...statements: readonly string[]): Promise<void> {
    const connection = await this.connect();
    for (const statement of statements) await connection.query(statement);
    await connection.end();
  }

  /** Ends the server without a shutdown, as a power cut does. */
  kill(): Promise<void> {
    return this.server.end('SIGKILL');
  }

  freeze(): void {
    this.server.signal('SIGSTOP');
  }

  thaw(): void {
    this.server.signal('SIGCONT');
  }

  stop(): Promise<void> {
    this.thaw();
    return this.server.end('SIGTERM');
  }
}

async function prepare(engine: ServerEngine, data: string, as: readonly string[]): Promise<void> {
  if (engine === 'mariadb') {
    const options = [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      `--tmpdir=${dirname(data)}`,
    ];
    await run(MARIADB_INSTALL, [...options, ...as], EXTENSIVE);
  } else {
    const [file = '', ...args] = COMMANDS.mysql;
    await run(file, [...args, '--no-defaults', '--initialize-insecure', `--datadir=${data}`, ...as], EXTENSIVE);
  }
}
