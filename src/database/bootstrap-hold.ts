import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Database } from './database.js';

/**
 * Lets the bootstrap hooks of modules wait until the database is open, because the server listens before. Nest runs the
 * hooks of global modules first, in the order of their imports, so this one comes before those of all other modules.
 */
export class BootstrapHold implements OnApplicationBootstrap {
  private resolveReached: () => void = () => undefined;
  /** Resolves when all routes are registered and `onModuleInit` has run everywhere. */
  readonly reached = new Promise<void>((resolve) => (this.resolveReached = resolve));

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): Promise<void> {
    this.resolveReached();
    return this.database.opened;
  }
}
