import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { type Extension, previewApp, rootModule } from '../create-app.js';
import { Connector, openingError } from '../database/connector.js';
import { backUp, restore } from '../database/sqlite-backup.js';
import { FirstAdmin } from '../platform/auth/first-admin.js';
import { tokenCommand } from '../platform/auth/tokens.command.js';
import { userCommand } from '../platform/auth/users.command.js';
import { configuredEnvironment, Environment, InvalidEnvironment } from '../config/environment.js';
import { openApiCommand } from '../docs/openapi.command.js';
import { Mounts } from '../config/mounts.js';
import { OperatorError } from '../errors/operator-error.js';
import { ExportCommand } from '../transfer/export.command.js';
import { ImportCommand, type ImportOptions } from '../transfer/import.command.js';
import { PurgeCommand, type PurgeOptions } from '../upkeep/purge.command.js';
import { RecountCommand, type RecountOptions } from '../upkeep/recount.command.js';

/** A command. Returns its exit code. */
type Work = (app: INestApplication) => Promise<number>;

/** Returns the commands of the operator. Each sets the exit code of the process: 0, or 1 after an error. */
export function commandLine(extension: Extension = {}): Command {
  /** Runs a command on the configured database, which is migrated first. The command returns the exit code. */
  const withApp = async (command: Work) => {
    let app: INestApplication | undefined;
    await withSettings(async () => {
      app = await openApp(extension);
      process.exitCode = await command(app);
    });
    // Open connections would keep the process alive.
    await app?.close();
  };

  /** Like `withApp`, but first creates the administrator of an empty database. */
  const withUsers = (command: Work) =>
    withApp(async (app) => {
      const environment = app.get(Environment);
      await app.get(FirstAdmin).run(`http://localhost:${environment.PORT}${new Mounts(environment).canonical}`);
      return command(app);
    });

  const program = new Command('kalends').description('A service for calendar events: the commands of its operator.');

  program
    .command('migrate')
    .description('bring the database schema up to date')
    .action(() => withApp(() => Promise.resolve(0)));

  program
    .command('import')
    .description('import events: one JSON object a line, each a body of POST /events')
    .argument('<file>', 'a file of JSON lines; -: standard input')
    .option('--dry-run', 'check the lines and import nothing', false)
    .option('--ids-are-ours', 'take answers of a calendar, too: their ids mean the records here', false)
    .addHelpText(
      'after',
      '\nA line that was imported before is left out; it is known by its external_id, else by its content.',
    )
    .action((file: string, options: ImportOptions) =>
      withUsers(async (app) => ((await app.get(ImportCommand).run(file, options)) > 0 ? 1 : 0)),
    );

  program
    .command('export')
    .description('write all records as JSON lines that import takes back')
    .argument('[file]', 'made readable by its owner only; default: standard output', '-')
    .action((file: string) =>
      withApp(async (app) => {
        await app.get(ExportCommand).run(file);
        return 0;
      }),
    );

  program
    .command('purge')
    .description('remove for good what nobody needs any more; servers may run meanwhile')
    .option('--trash-older-than <age>', 'records that have been in the trash unchanged for so long: 30d, 12h')
    .option('--changes-older-than <age>', 'rows of the change record', '30d')
    .option('--dry-run', 'only tell what would be removed', false)
    .action((options: PurgeOptions) =>
      withApp(async (app) => {
        await app.get(PurgeCommand).run(options);
        return 0;
      }),
    );

  program
    .command('recount')
    .description('count events anew, after rows were changed by hand; servers may run meanwhile')
    .option('--check', 'change nothing, and exit with 1 if something would change', false)
    .action((options: RecountOptions) =>
      withApp(async (app) => ((await app.get(RecountCommand).run(options)) > 0 ? 1 : 0)),
    );

  program
    .command('backup')
    .description('copy the embedded database into a file; servers may run meanwhile')
    .argument('<file>')
    .action((file: string) =>
      withSettings(async ({ DATABASE_URL }) => {
        await backUp(DATABASE_URL, file);
        process.stdout.write(`${file} holds the database.\n`);
      }),
    );

  program
    .command('restore')
    .description('put a backup in the place of the embedded database; no server may run')
    .argument('<file>', 'what backup has made')
    .option('--force', 'replace a database with data in it, which is kept under another name', false)
    .action((file: string, { force }: { force: boolean }) =>
      withSettings(async ({ DATABASE_URL }) => {
        const replaced = await restore(DATABASE_URL, file, force);
        const kept = replaced === undefined ? '' : ` What was there before is ${replaced} now.`;
        process.stdout.write(`The database is that of ${file}.${kept}\n`);
      }),
    );

  program.addCommand(userCommand(withUsers));
  program.addCommand(tokenCommand(withUsers));
  program.addCommand(openApiCommand(withSettings, () => previewApp(extension)));
  return program;
}

/** Returns the application with its database. Modules are initialized, because they may take part in writes. */
async function openApp(extension: Extension): Promise<INestApplication> {
  const app = await NestFactory.create(rootModule(extension), { logger: false, abortOnError: false });
  try {
    await app.get(Connector).connect('commands');
  } catch (error) {
    await app.close();
    throw openingError(error);
  }
  return app.init();
}

/** Runs a command that needs only the settings. */
async function withSettings(command: (environment: Environment) => Promise<void>): Promise<void> {
  try {
    await command(configuredEnvironment());
  } catch (error) {
    process.stderr.write(`${isOperatorError(error) ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** Whether the message of an error is meant for the operator. */
function isOperatorError(error: unknown): error is Error {
  return error instanceof InvalidEnvironment || error instanceof OperatorError;
}
