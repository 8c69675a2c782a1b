import { type Audit, audit } from './audit.js';
import { DatabaseServer } from './database-server.js';
import { Instance } from './instance.js';
import type { Ledger } from './ledger.js';

const DATABASE = 'kalends';

/** One database server, and instances that share it. */
export class Topology {
  private constructor(
    readonly server: DatabaseServer,
    readonly instances: readonly Instance[],
  ) {}

  static async start(instances: number, settings: Record<string, string> = {}): Promise<Topology> {
    const server = await DatabaseServer.start('mariadb');
    await server.run(`CREATE DATABASE ${DATABASE}`);
    const url = { DATABASE_URL: server.url(DATABASE) };
    const started: Instance[] = [];
    while (started.length < instances) started.push(await Instance.start({ ...url, ...settings }));
    return new Topology(server, started);
  }

  async audit(ledger: Ledger): Promise<Audit> {
    const connection = await this.server.connect(DATABASE);
    const found = await audit(connection, ledger);
    await connection.end();
    return found;
  }

  async stop(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.stop()));
    await this.server.stop();
  }
}
