import type { INestApplication, Type } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { OperatorError } from '../errors/operator-error.js';
import type { DatabaseUse } from './command-app.js';
import { loadSettings } from './settings-file.js';

/** A command on the database. Returns its exit code. */
export type AppCommand = (app: INestApplication) => Promise<number>;

/**
 * Runs the commands of the operator: reads the settings, opens the database, reports errors, and sets the exit code of the
 * process: 0, or 1 after an error. Modules are loaded when a command needs them, because loading all takes a second.
 */
export class CommandRunner {
  /** `loadRoot`: loads the root module of the application. */
  constructor(private readonly loadRoot: () => Promise<Type>) {}

  /** Runs a command on the configured database, which is created and migrated first. */
  readonly writing = (command: AppCommand) => this.withApp('writing', command);

  /** Like `writing`, but on an existing database: with a wrong path a new and empty one would hide the mistake. */
  readonly changing = (command: AppCommand) => this.withApp('changing', command);

  /** Runs a command that changes nothing, on an existing database of this version. */
  readonly reading = (command: AppCommand) => this.withApp('reading', command);

  /** Like `writing`, but first creates the administrator of an empty database. */
  readonly administering = (command: AppCommand) => this.withApp('administering', command);

  /** Runs a command that needs only the settings. */
  readonly withSettings = (command: (environment: Environment) => Promise<void>) =>
    this.run(async () => {
      await command(await environmentWithWarnings());
      return 0;
    });

  /** Runs a command on the file of the embedded database. */
  readonly withFile = (command: (environment: Environment) => Promise<void>) =>
    this.withSettings(async (environment) => {
      await showDatabase(environment);
      await command(environment);
    });

  /** Runs a command and reports its errors. */
  readonly run = async (command: () => Promise<number>) => {
    endWithReader();
    try {
      process.exitCode = await command();
    } catch (error) {
      process.stderr.write(`${error instanceof OperatorError ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  };

  private async withApp(use: DatabaseUse, command: AppCommand): Promise<void> {
    let app: INestApplication | undefined;
    await this.run(async () => {
      await showDatabase(await environmentWithWarnings());
      const { openApp } = await import('./command-app.js');
      app = await openApp(await this.loadRoot(), use);
      return command(app);
    });
    // Open connections would keep the process alive.
    await app?.close();
  }
}

async function environmentWithWarnings(): Promise<Environment> {
  const { warnings } = await loadSettings();
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const { configuredEnvironment } = await import('../config/environment.js');
  return configuredEnvironment();
}

/** Names the database that the command opens, which depends on the folder if no setting names it. */
async function showDatabase({ DATABASE_URL }: Environment): Promise<void> {
  const { databaseName } = await import('../config/database-url.js');
  process.stderr.write(`Database: ${databaseName(DATABASE_URL)}\n`);
}

let isWatched = false;

/** Ends the process when the reader of its output has left, as with `kalends export | head`. */
function endWithReader(): void {
  if (isWatched) return;
  isWatched = true;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}
