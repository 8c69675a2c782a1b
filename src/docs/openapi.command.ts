import type { INestApplication } from '@nestjs/common';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import { Command, Option } from 'commander';
import { Environment } from '../config/environment.js';
import { Mounts } from '../config/mounts.js';
import { parameterAmendment } from '../events/hooks/list-filter.js';
import { memberAmendment } from '../events/hooks/member.js';
import { routesOf } from '../platform/http/routing/route-table.js';
import { TRANSLATED } from '../platform/translations/catalogues.js';
import { translated } from '../platform/translations/translation.js';

interface Options {
  readonly language: string;
  readonly url?: string;
}

/** Runs a command and reports its errors. */
type Run = (command: (environment: Environment) => Promise<void>) => Promise<void>;

/**
 * `kalends openapi`: prints the document of `/doc`. `preview`: creates the application without a server and a database.
 * Omits defaults that depend on the time, so that the output depends only on the version of the service.
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
          servers: [{ url: options.url ?? canonicalUrl(environment) }],
        };
        await app.close();
        process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      }),
    );
}

async function describe(app: INestApplication, language: string) {
  const { openApiDocument } = await import('./openapi.js');
  const discovery = new DiscoveryService(app.get(ModulesContainer));
  const controllers = discovery.getControllers().map(({ metatype }) => metatype as new () => object);
  const routes = routesOf(controllers, [parameterAmendment(discovery), memberAmendment(discovery)]);
  return translated(openApiDocument(app, routes), language);
}

function canonicalUrl(environment: Environment): string {
  return `${environment.PUBLIC_URL ?? `http://localhost:${environment.PORT}`}${new Mounts(environment).canonical}`;
}
