import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { AppModule } from '../app.module.js';
import { previewApp } from '../create-app.js';
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

/** Returns the commands of the operator. Each sets the exit code of the process: 0, or 1 after an error. */
export function commandLine(): Command {
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
  program.addCommand(openApiCommand(withSettings, () => previewApp()));
  return program;
}

/** Runs a command on the configured database, which is migrated first. The command returns the exit code. */
async function withApp(command: (app: INestApplicationContext) => Promise<number>): Promise<void> {
  let app: INestApplicationContext | undefined;
  await withSettings(async () => {
    // Not initialized: lifecycle hooks of modules are for servers.
    app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
    await app
      .get(Connector)
      .connect('commands')
      .catch((error: unknown) => {
        throw openingError(error);
      });
    process.exitCode = await command(app);
  });
  // Open connections would keep the process alive.
  await app?.close();
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

/** Like `withApp`, but first creates the administrator of an empty database. */
function withUsers(command: (app: INestApplicationContext) => Promise<number>): Promise<void> {
  return withApp(async (app) => {
    const environment = app.get(Environment);
    await app.get(FirstAdmin).run(`http://localhost:${environment.PORT}${new Mounts(environment).canonical}`);
    return command(app);
  });
}

/** Whether the message of an error is meant for the operator. */
function isOperatorError(error: unknown): error is Error {
  return error instanceof InvalidEnvironment || error instanceof OperatorError;
}
