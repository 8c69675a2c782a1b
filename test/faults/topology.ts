import type { Connection } from 'mysql2/promise';
import { DatabaseServer } from './database-server.js';
import { Instance } from './instance.js';

export const DATABASE = 'kalends';

type Settings = Record<string, string>;

/** Instances and the server or cluster of their database. */
export interface Topology {
  readonly instances: readonly Instance[];
  /** The value of DATABASE_URL of the instances. */
  readonly databaseUrl: string;
  /** Opens an operator's connection to the writable database of the instances. */
  connect(): Promise<Connection>;
  stop(): Promise<void>;
}

/** One database server, and instances that share it. */
export class SingleServer implements Topology {
  private constructor(
    readonly server: DatabaseServer,
    readonly instances: readonly Instance[],
  ) {}

  /** `folder`: where the server's data goes, by default a temporary folder. */
  static async start(instances: number, settings: Settings = {}, folder?: string): Promise<SingleServer> {
    const server = await DatabaseServer.start('mariadb', folder === undefined ? {} : { folder });
    await server.run(`CREATE DATABASE ${DATABASE}`);
    return new SingleServer(
      server,
      await startInstances(instances, { DATABASE_URL: server.url(DATABASE), ...settings }),
    );
  }

  get databaseUrl(): string {
    return this.server.url(DATABASE);
  }

  connect(): Promise<Connection> {
    return this.server.connect(DATABASE);
  }

  async stop(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.stop()));
    await this.server.stop();
  }
}

/** Starts instances in sequence, because the first one creates the schema. */
export async function startInstances(count: number, settings: Settings): Promise<Instance[]> {
  const started: Instance[] = [];
  while (started.length < count) started.push(await Instance.start(settings));
  return started;
}
