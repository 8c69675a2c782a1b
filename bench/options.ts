import { parseArgs } from 'node:util';

export interface Options {
  /** Numbers of events, one data set after the other. */
  readonly sizes: readonly number[];
  readonly engine: string;
  /** Server to make the databases on; undefined: SQLite files. */
  readonly server: string | undefined;
  /** Names of workloads; empty: all. */
  readonly workloads: readonly string[];
  readonly seconds: number;
  readonly warmUp: number;
  readonly rounds: number;
  readonly connections: number;
  /** A commit of the project to measure against, instead of the ceiling. */
  readonly against: string | undefined;
  /** Fail where something is off, instead of telling how fast it is. */
  readonly check: boolean;
  /** An earlier data set of the same size, kept by `--keep`; it is not dropped. */
  readonly database: string | undefined;
  readonly keep: boolean;
  /** A MariaDB server of the bench's own, with enough memory for a million events. */
  readonly ownServer: boolean;
  /** A page whose figures of this engine are replaced. */
  readonly report: string | undefined;
  /** How many events are imported; 0: none. */
  readonly imported: number;
  /** How many processes Kalends serves with. */
  readonly workers: string;
  /** Process of a database server that nobody else uses, to count its time, too. */
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
    databasePid: Number(values['database-pid']),
  };
}
