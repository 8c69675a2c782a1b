import { Global, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from './database.js';

/** Lets the bootstrap hooks of other teams' modules wait until the database is open, because the server listens before. */
@Injectable()
export class BootstrapHold implements OnApplicationBootstrap {
  private resolveReached: () => void = () => undefined;
  /** Resolves when the bootstrap hooks of the service have run, so that it can respond. */
  readonly reached = new Promise<void>((resolve) => (this.resolveReached = resolve));

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): Promise<void> {
    this.resolveReached();
    return this.database.startup.opened;
  }
}

/**
 * The last global module of the service. Nest runs the hooks of global modules first, in the order of their imports, so
 * those of other teams come after it.
 */
@Global()
@Module({ providers: [BootstrapHold], exports: [BootstrapHold] })
export class BootstrapModule {}
