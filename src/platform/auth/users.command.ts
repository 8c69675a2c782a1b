import type { INestApplicationContext } from '@nestjs/common';
import { Argument, Command, Option } from 'commander';
import { type Role, ROLES } from '../../kernel/capability.js';

/** Runs a command on the open database. The command returns the exit code. */
export type WithApp = (command: (app: INestApplicationContext) => Promise<number>) => Promise<void>;

/** The ways to run a command. */
export interface DatabaseAccess {
  /** On an existing database, which the command does not change. */
  readonly reading: WithApp;
  /** On a database with an administrator, who is created if there are no users. */
  readonly administering: WithApp;
}

/** `kalends user …`: people and what they may do (contract 7.2). Loads the actions late, because most commands need none. */
export function userCommand({ reading, administering }: DatabaseAccess): Command {
  const actions = () => import('./users.actions.js');
  const command = new Command('user').description('people and their roles');
  command
    .command('add')
    .description('make a user')
    .argument('<login>', 'up to 60 characters, without blanks and colons')
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).makeOptionMandatory())
    .action((login: string, { role }: { role: Role }) =>
      administering(async (app) => (await actions()).addUser(app, login, role)),
    );
  command
    .command('list')
    .description('show all users')
    .action(() => reading(async (app) => (await actions()).listUsers(app)));
  command
    .command('set-role')
    .description('change what a user may do; it holds at once')
    .argument('<login>')
    .addArgument(new Argument('<role>').choices(ROLES))
    .action((login: string, role: Role) => administering(async (app) => (await actions()).setRole(app, login, role)));
  command
    .command('remove')
    .description('remove a user with all tokens; the records of the user stay')
    .argument('<login>')
    .action((login: string) => administering(async (app) => (await actions()).removeUser(app, login)));
  return command;
}
