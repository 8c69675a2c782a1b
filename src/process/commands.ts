import type { Type } from '@nestjs/common';
import { Argument, Command } from 'commander';
import { version } from '../config/version.js';
import type { Extension } from '../create-app.js';
import { counted } from '../kernel/text/counted.js';
import { openApiCommand } from '../docs/openapi.command.js';
import { tokenCommand } from '../platform/auth/tokens.command.js';
import { userCommand } from '../platform/auth/users.command.js';
import type { ImportOptions } from '../transfer/import.command.js';
import type { CheckOptions } from '../upkeep/check.command.js';
import type { PurgeOptions } from '../upkeep/purge.command.js';
import { type AppCommand, CommandRunner } from './command-runner.js';
import { completionScript, type Shell, SHELLS } from './completion.js';
import { webhookCommand } from './webhook-command.js';

/** Returns the commands of the operator. Each sets the exit code of the process: 0, or 1 after an error. */
export function commandLine(extension: Extension = {}): Command {
  const runner = new CommandRunner(async () => (await import('../create-app.js')).rootModule(extension));
  const usersRunner = new CommandRunner(async () => (await import('./users-root.js')).usersRoot(extension.migrations));
  const program = new Command('kalends')
    .description('A service for calendar events: the commands of its operator.')
    .version(version(), '-V, --version', 'show the version')
    .addHelpText(
      'after',
      '\nSettings are environment variables, or lines of a file .env. `kalends doctor --all` shows them.',
    );

  program
    .command('serve')
    .description('serve requests until a signal')
    .action(async () => (await import('./program.js')).runService(extension));

  program
    .command('migrate')
    .description('create the database, or bring its schema up to date')
    .action(() =>
      usersRunner.writing(async (app) => {
        const { Connector } = await import('../database/connector.js');
        process.stdout.write(migrationText(app.get(Connector).applied));
        return 0;
      }),
    );

  program
    .command('doctor')
    .description('show the settings and the database, and what is wrong with them')
    .option('--all', 'show settings that have their defaults, too')
    .action((options: { all?: boolean }) =>
      runner.run(async () => {
        const settings = await (await import('./settings-file.js')).loadSettings();
        const { examine } = await import('../upkeep/doctor.js');
        const { text, isHealthy } = await examine({ ...settings, ...options, migrations: extension.migrations });
        process.stdout.write(text);
        return isHealthy ? 0 : 1;
      }),
    );

  program
    .command('import')
    .description('import events: JSON lines, each a body of POST /events, or a JSON array of them')
    .argument('<file>', '-: standard input')
    .option('--dry-run', 'check the lines and import nothing')
    .option('--ids-are-ours', 'accept responses of a calendar, too; their ids mean records of this calendar')
    .addHelpText(
      'after',
      '\nSkips lines that were imported before. A line is recognized by its external_id, else by its content.',
    )
    .action((file: string, options: ImportOptions) =>
      runner.administering(
        resultOf(async () => (await import('../transfer/import.command.js')).ImportCommand, file, options),
      ),
    );

  program
    .command('export')
    .description('write all records as JSON lines for import')
    .argument('[file]', 'readable by its owner only; default: standard output')
    .action((file = '-') =>
      runner.reading(
        resultOf(async () => (await import('../transfer/export.command.js')).ExportCommand, file as string),
      ),
    );

  program
    .command('purge')
    .description('delete old data permanently; servers may run meanwhile')
    .option('--trash-older-than <age>', 'records that have been in the trash unchanged for this time: 30d, 12h')
    .option('--changes-older-than <age>', 'rows of the change record', '30d')
    .option('--dry-run', 'only count')
    .action((options: PurgeOptions) =>
      runner[options.dryRun === true ? 'reading' : 'changing'](
        resultOf(async () => (await import('../upkeep/purge.command.js')).PurgeCommand, options),
      ),
    );

  program
    .command('reread')
    .alias('recount')
    .description('make servers read everything anew, after rows were changed by SQL (once called recount)')
    .action(() => runner.changing(resultOf(async () => (await import('../upkeep/reread.command.js')).RereadCommand)));

  program
    .command('changes')
    .description('the changes that programs with a copy follow')
    .command('reset')
    .description('make these programs read everything again, after a database on a server was restored')
    .action(() =>
      runner.changing(resultOf(async () => (await import('../changes/changes.command.js')).ChangesResetCommand)),
    );

  program
    .command('check')
    .description('compare the index of events with the database; servers may run meanwhile')
    .option('--during <seconds>', 'first follow the change record for this time', '0')
    .action((options: CheckOptions) =>
      runner.reading(resultOf(async () => (await import('../upkeep/check.command.js')).CheckCommand, options)),
    );

  program
    .command('backup')
    .description('copy the embedded database into a file; servers may run meanwhile')
    .argument('<file>')
    .action((file: string) =>
      runner.withFile(async ({ DATABASE_URL }) => {
        const { backUp } = await import('../database/sqlite-backup.js');
        await backUp(DATABASE_URL, file);
        process.stdout.write(`${file} is a backup of the database.\n`);
      }),
    );

  program
    .command('restore')
    .description('replace the embedded database with a backup; no server may run')
    .argument('<file>', 'a file that backup has written')
    .option('--force', 'replace a database that has data, and keep it under another name')
    .option('--keep-webhooks', 'go on sending webhooks; by default they are paused, because this may be a copy')
    .action((file: string, options: { force?: boolean; keepWebhooks?: boolean }) =>
      runner.withFile(async ({ DATABASE_URL }) => {
        const { restore } = await import('../database/sqlite-backup.js');
        const replaced = await restore(DATABASE_URL, file, options);
        const kept = replaced === undefined ? '' : ` The previous one is ${replaced} now.`;
        process.stdout.write(`The database is that of ${file}.${kept}\n`);
      }),
    );

  program.addCommand(userCommand(usersRunner));
  program.addCommand(tokenCommand(usersRunner));
  program.addCommand(webhookCommand(runner));
  program.addCommand(
    openApiCommand(runner.withSettings, async () => (await import('../create-app.js')).previewApp(extension)),
  );

  program
    .command('completion')
    .description('print a script that completes these commands in a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => {
      process.stdout.write(completionScript(program, shell));
    });
  return program;
}

/**
 * Returns a command that loads its class late and runs it. The exit code is 1 if it returns how many lines it has rejected, or
 * how many differences it has found, and that is not 0.
 */
function resultOf<Options extends unknown[]>(
  load: () => Promise<Type<{ run(...options: Options): Promise<number | void> }>>,
  ...options: Options
): AppCommand {
  return async (app) => {
    const found = await app.get(await load()).run(...options);
    return found ? 1 : 0;
  };
}

function migrationText(applied: readonly string[]): string {
  if (applied.length === 0) return 'The schema is up to date.\n';
  return `Applied ${counted(applied.length, 'migration')}:\n${applied.map((name) => `  ${name}\n`).join('')}`;
}
