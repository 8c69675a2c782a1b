import type { DatabaseServer } from './database-server.js';
import type { Instance } from './instance.js';
import { type Operator, operatorOf } from './operator.js';
import { PrimaryRouter } from './primary-router.js';
import { until } from './processes.js';
import { DATABASE, startInstances, type Topology } from './topology.js';

/** Database servers, one of which is the primary. */
export interface Cluster {
  readonly members: readonly DatabaseServer[];
  /** Returns the member that accepts writes now, or undefined. */
  primary(): Promise<DatabaseServer | undefined>;
  /** Restarts a killed member and adds it to the cluster again. */
  revive(member: DatabaseServer): Promise<void>;
  stop(): Promise<void>;
}

/** A cluster, and two instances that reach it through a router. */
export class RoutedCluster<Kind extends Cluster = Cluster> implements Topology {
  private constructor(
    readonly cluster: Kind,
    private readonly router: PrimaryRouter,
    readonly instances: readonly Instance[],
  ) {}

  static async start<Kind extends Cluster>(cluster: Kind): Promise<RoutedCluster<Kind>> {
    await (await primaryOf(cluster)).run(`CREATE DATABASE ${DATABASE}`);
    const router = await PrimaryRouter.start(cluster);
    return new RoutedCluster(cluster, router, await startInstances(2, { DATABASE_URL: urlBehind(router) }));
  }

  get databaseUrl(): string {
    return urlBehind(this.router);
  }

  async connect(): Promise<Operator> {
    return operatorOf(await (await primaryOf(this.cluster)).connect(DATABASE));
  }

  async stop(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.stop()));
    this.router.stop();
    await this.cluster.stop();
  }
}

function urlBehind({ port }: PrimaryRouter): string {
  return `mysql://root@127.0.0.1:${port}/${DATABASE}`;
}

/** Waits for a primary. */
export async function primaryOf(cluster: Cluster): Promise<DatabaseServer> {
  let primary: DatabaseServer | undefined;
  await until('there is a primary', async () => (primary = await cluster.primary()) !== undefined);
  return primary as DatabaseServer;
}
