#!/usr/bin/env node
import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { AppModule } from './app.module.js';
import { FirstStart } from './platform/auth/first-start.js';
import { tokenCommand } from './platform/auth/tokens.command.js';
import { userCommand } from './platform/auth/users.command.js';
import { configuredEnvironment, Environment, InvalidEnvironment } from './platform/config/environment.js';
import { Mounts } from './platform/http/mounts.js';
import { OperatorError } from './platform/operator-error.js';
import { ExportCommand } from './transfer/export.command.js';
import { ImportCommand } from './transfer/import.command.js';
import { PurgeCommand, type PurgeOptions } from './upkeep/purge.command.js';

// TypeORM converts times in the zone of the process.
process.env.TZ = 'UTC';

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
  .addHelpText(
    'after',
    '\nA line that was imported before is left out; it is known by its external_id, else by its content.',
  )
  .action((file: string, { dryRun }: { dryRun: boolean }) =>
    withUsers(async (app) => ((await app.get(ImportCommand).run(file, dryRun)) > 0 ? 1 : 0)),
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

program.addCommand(userCommand(withUsers));
program.addCommand(tokenCommand(withUsers));

await program.parseAsync();

/** Runs a command on the configured database; its number is the exit code. Opening the database migrates it. */
async function withApp(command: (app: INestApplicationContext) => Promise<number>): Promise<void> {
  let app: INestApplicationContext | undefined;
  try {
    configuredEnvironment();
    app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    process.exitCode = await command(app);
  } catch (error) {
    process.stderr.write(`${isTold(error) ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    // Open connections would keep the process from ending.
    await app?.close();
  }
}

/** The same for commands that need users: an empty database gets its administrator, whatever comes first. */
function withUsers(command: (app: INestApplicationContext) => Promise<number>): Promise<void> {
  return withApp(async (app) => {
    const environment = app.get(Environment);
    await app.get(FirstStart).run(`http://localhost:${environment.PORT}${new Mounts(environment).canonical}`);
    return command(app);
  });
}

/** Errors whose message is written for the operator. */
function isTold(error: unknown): error is Error {
  return error instanceof InvalidEnvironment || error instanceof OperatorError;
}
