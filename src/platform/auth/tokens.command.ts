import { Command, Option } from 'commander';
import { ROLES } from '../../kernel/capability.js';
import type { CreateOptions } from './tokens.actions.js';
import type { DatabaseAccess } from './users.command.js';

/** `kalends token …`: the credentials of people and programs (contract 7.1). Loads the actions late, as `userCommand` does. */
export function tokenCommand({ reading, administering }: DatabaseAccess): Command {
  const actions = () => import('./tokens.actions.js');
  const command = new Command('token').description('the tokens that requests are made with');
  command
    .command('create')
    .description('make a token; the last line of the output is the token, shown this once')
    .argument('<login>')
    .option('--name <name>', 'what the token is for')
    .option(
      '--expires <when>',
      'a date as the interface takes it, in the zone of the site: "2027-03-10 17:00", "+90 days"',
    )
    .addOption(new Option('--as <role>', 'a role below the one of the user').choices(ROLES))
    .action((login: string, options: CreateOptions) =>
      administering(async (app) => (await actions()).createToken(app, login, options)),
    );
  command
    .command('list')
    .description('show the tokens of a user, or all')
    .argument('[login]')
    .action((login: string | undefined) => reading(async (app) => (await actions()).listTokens(app, login)));
  command
    .command('revoke')
    .description('make a token invalid at once')
    .argument('<id>', 'the number that `token list` shows')
    .action((id: string) => administering(async (app) => (await actions()).revokeToken(app, id)));
  return command;
}
