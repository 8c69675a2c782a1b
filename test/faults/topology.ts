import { join } from 'node:path';
import { DatabaseServer } from './database-server.js';
import type { Engine } from './engines.js';
import { Instance } from './instance.js';
import { type Operator, operatorOf, operatorOfFile } from './operator.js';
import { folderFor } from './processes.js';

export const DATABASE = 'kalends';

type Settings = Record<string, string>;

/** Instances and their database: a file, a server or a cluster. */
export interface Topology {
  readonly instances: readonly Instance[];
  /** The value of DATABASE_URL of the instances. */
  readonly databaseUrl: string;
  /** Opens an operator's connection to the writable database of the instances. */
  connect(): Promise<Operator>;
  stop(): Promise<void>;
}

/** Starts instances that share one database. SQLite has one instance, whatever `instances` says. */
export function startTopology(engine: Engine, instances: number, settings: Settings = {}): Promise<Topology> {
  return engine === 'sqlite' ? SingleFile.start(settings) : SingleServer.start(engine, instances, settings);
}

/** One database server, and instances that share it. */
export class SingleServer implements Topology {
  private constructor(
    readonly server: DatabaseServer,
    readonly instances: readonly Instance[],
  ) {}

  /** `folder`: where the server's data goes, by default a temporary folder. */
  static async start(
    engine: Engine,
    instances: number,
    settings: Settings = {},
    folder?: string,
  ): Promise<SingleServer> {
    if (engine === 'sqlite') throw new Error('SQLite has no server');
    const server = await DatabaseServer.start(engine, folder === undefined ? {} : { folder });
    await server.run(`CREATE DATABASE ${DATABASE}`);
    return new SingleServer(
      server,
      await startInstances(instances, { DATABASE_URL: server.url(DATABASE), ...settings }),
    );
  }

  get databaseUrl(): string {
    return this.server.url(DATABASE);
  }

  async connect(): Promise<Operator> {
    return operatorOf(await this.server.connect(DATABASE));
  }

  async stop(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.stop()));
    await this.server.stop();
  }
}

/** One SQLite file and its instance. */
class SingleFile implements Topology {
  private constructor(
    private readonly file: string,
    readonly instances: readonly Instance[],
  ) {}

  static async start(settings: Settings): Promise<SingleFile> {
    const file = join(folderFor('sqlite'), 'kalends.sqlite');
    return new SingleFile(file, await startInstances(1, { DATABASE_URL: urlOf(file), ...settings }));
  }

  get databaseUrl(): string {
    return urlOf(this.file);
  }

  connect(): Promise<Operator> {
    return Promise.resolve(operatorOfFile(this.file));
  }

  async stop(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.stop()));
  }
}

function urlOf(file: string): string {
  return `sqlite:${file}`;
}

/** Starts instances in sequence, because the first one creates the schema. */
export async function startInstances(count: number, settings: Settings): Promise<Instance[]> {
  const started: Instance[] = [];
  while (started.length < count) started.push(await Instance.start(settings));
  return started;
}
