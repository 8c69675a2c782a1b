import type { INestApplication } from '@nestjs/common';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import { Command, Option } from 'commander';
import { Environment } from '../config/environment.js';
import { Mounts } from '../config/mounts.js';
import { routesOf } from '../platform/http/routing/route-table.js';
import { TRANSLATED, translated } from '../platform/translations/translation.js';

interface Options {
  readonly language: string;
  readonly url?: string;
}

/** What runs a command and tells its errors. */
type Run = (command: (environment: Environment) => Promise<void>) => Promise<void>;

/**
 * `kalends openapi`: the document of `/doc` on standard output. `preview`: opens the application without starting
 * anything of it, so that no server runs and no database is touched. Defaults that move with the clock are left out: the
 * same version of the service prints the same document on every day.
 */
export function openApiCommand(run: Run, preview: () => Promise<INestApplication>): Command {
  return new Command('openapi')
    .description('print the OpenAPI document; no server and no database is needed')
    .addOption(new Option('--language <language>', 'of its texts').choices(['en', ...TRANSLATED]).default('en'))
    .option('--url <root>', 'where the interface is; default: the canonical mount, by PUBLIC_URL if that is set')
    .action((options: Options) =>
      run(async (environment) => {
        const app = await preview();
        const document = {
          ...(await describe(app, options.language)),
          servers: [{ url: options.url ?? rootOf(environment) }],
        };
        await app.close();
        process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      }),
    );
}

async function describe(app: INestApplication, language: string) {
  const { openApiDocument } = await import('./openapi.js');
  const controllers = new DiscoveryService(app.get(ModulesContainer)).getControllers();
  const routes = routesOf(controllers.map(({ metatype }) => metatype as new () => object));
  return translated(openApiDocument(app, routes), language);
}

function rootOf(environment: Environment): string {
  return `${environment.PUBLIC_URL ?? `http://localhost:${environment.PORT}`}${new Mounts(environment).canonical}`;
}
