import { parseArgs } from 'node:util';

export interface Options {
  /** The numbers of events, one data set each. */
  readonly sizes: readonly number[];
  readonly engine: string;
  /** The server for the databases. undefined: SQLite files. */
  readonly server: string | undefined;
  /** The names of workloads. Empty: all. */
  readonly workloads: readonly string[];
  readonly seconds: number;
  readonly warmUp: number;
  readonly rounds: number;
  readonly connections: number;
  /** A commit of the project to measure against, instead of the ceiling. */
  readonly against: string | undefined;
  /** Fails if a ratio is too low. */
  readonly check: boolean;
  /** The URL of an earlier data set of the same size, from `--keep`. It is not dropped. */
  readonly database: string | undefined;
  readonly keep: boolean;
  /** Starts a separate MariaDB server with enough memory for a million events. */
  readonly ownServer: boolean;
  /** The path of a page in which the results of this engine are replaced. */
  readonly report: string | undefined;
  /** The number of events to import. 0: none. */
  readonly imported: number;
  /** The number of Kalends' worker processes. */
  readonly workers: string;
  /** Whether Kalends reads lists from its index of events. */
  readonly index: 'on' | 'off';
  /** The process of a database server that only the bench uses, to measure its processor time. */
  readonly databasePid: number;
}

const SERVERS: Record<string, string | undefined> = {
  mariadb: process.env.TEST_MARIADB_URL ?? 'mysql://root@127.0.0.1:3306',
  mysql: process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3307',
};

export function readOptions(): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      size: { ...text, default: '10000' },
      engine: { ...text, default: 'mariadb' },
      workloads: { ...text, default: '' },
      seconds: { ...text, default: '5' },
      'warm-up': { ...text, default: '10' },
      rounds: { ...text, default: '3' },
      connections: { ...text, default: '16' },
      against: text,
      database: text,
      report: text,
      imported: { ...text, default: '0' },
      'own-server': { type: 'boolean', default: false },
      workers: { ...text, default: '1' },
      index: { ...text, default: 'on' },
      'database-pid': { ...text, default: '0' },
      check: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const alone = ['check', 'database', 'keep', 'report'] as const;
  if (values.against !== undefined && (values.imported !== '0' || alone.some((name) => values[name]))) {
    throw new Error(`--against goes with none of ${['imported', ...alone].map((name) => `--${name}`).join(', ')}`);
  }
  return {
    sizes: values.size.split(',').map(Number),
    engine: values.engine,
    server: SERVERS[values.engine],
    workloads: values.workloads.split(',').filter(Boolean),
    seconds: Number(values.seconds),
    warmUp: Number(values['warm-up']),
    rounds: Number(values.rounds),
    connections: Number(values.connections),
    against: values.against,
    check: values.check,
    database: values.database,
    keep: values.keep,
    ownServer: values['own-server'],
    report: values.report,
    imported: Number(values.imported),
    workers: values.workers,
    index: values.index === 'off' ? 'off' : 'on',
    databasePid: Number(values['database-pid']),
  };
}
