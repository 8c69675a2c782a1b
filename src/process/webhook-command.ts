import type { INestApplication } from '@nestjs/common';
import { Command, Option } from 'commander';
import { OperatorError } from '../errors/operator-error.js';
import type { AddOptions, WebhooksCommand } from '../webhooks/webhooks.command.js';
import type { CommandRunner } from './command-runner.js';

/** `kalends webhook …`: where messages about changes are sent (webhooks section 1). Loads the actions late. */
export function webhookCommand({ reading, administering }: CommandRunner): Command {
  const command = new Command('webhook').description('addresses to which messages about changes are sent');
  command
    .command('add')
    .description('make a webhook, and print the secret that signs its messages')
    .argument('<url>', 'where messages are sent')
    .option('--description <text>', 'a note')
    .option('--types <types>', 'the types of messages, separated by commas: event.*,venue.updated; default: all')
    .addOption(new Option('--audience <audience>', 'whose view it gets; default: public').choices(['public', 'all']))
    .addOption(new Option('--payload <payload>', 'what messages contain; default: thin').choices(['thin', 'record']))
    .option('--from <token>', 'a next_since of /changes: where it begins; default: now')
    .action((url: string, options: AddOptions) => administering(async (app) => (await actions(app)).add(url, options)));
  command
    .command('list')
    .description('show all webhooks')
    .action(() => reading(async (app) => (await actions(app)).list()));
  command
    .command('show')
    .description('show one webhook')
    .argument('<id>')
    .action((id: string) => reading(async (app) => (await actions(app)).show(id)));
  const change = (name: string, description: string, act: (webhooks: WebhooksCommand, id: string) => Promise<number>) =>
    command
      .command(name)
      .description(description)
      .argument('<id>')
      .action((id: string) => administering(async (app) => act(await actions(app), id)));
  change('rotate', 'print a new secret; the former one also signs for 24 hours', (webhooks, id) => webhooks.rotate(id));
  change('pause', 'send nothing to it until resume', (webhooks, id) => webhooks.setActive(id, false));
  change('resume', 'send again, from where it stopped', (webhooks, id) => webhooks.setActive(id, true));
  change('test', 'let a running server send it a message of the type webhook.test', (webhooks, id) =>
    webhooks.test(id),
  );
  change('remove', 'remove it; what waits is not sent', (webhooks, id) => webhooks.remove(id));
  return command;
}

async function actions(app: INestApplication): Promise<WebhooksCommand> {
  const { Environment } = await import('../config/environment.js');
  if (!app.get(Environment).WEBHOOKS) throw new OperatorError('WEBHOOKS is off: there are no webhooks.');
  const { WebhooksCommand } = await import('../webhooks/webhooks.command.js');
  return app.get(WebhooksCommand);
}
