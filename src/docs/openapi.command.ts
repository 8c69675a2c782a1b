import type { INestApplication } from '@nestjs/common';
import { Command, Option } from 'commander';
import type { Environment } from '../config/environment.js';
import { TRANSLATED } from '../platform/translations/catalogues.js';
import type { OpenApiOptions } from './printed-document.js';

/** Runs a command and reports its errors. */
type Run = (command: (environment: Environment) => Promise<void>) => Promise<void>;

/**
 * `kalends openapi`: prints the document of `/doc`. `preview`: creates the application without a server and a database.
 * Loads the document late, because most commands do not need it.
 */
export function openApiCommand(run: Run, preview: () => Promise<INestApplication>): Command {
  return new Command('openapi')
    .description('print the OpenAPI document; no server and no database is needed')
    .addOption(new Option('--language <language>', 'of its texts').choices(['en', ...TRANSLATED]).default('en'))
    .option('--url <root>', 'where the interface is; default: the canonical mount, by PUBLIC_URL if that is set')
    .action((options: OpenApiOptions) =>
      run(async (environment) => {
        const { printedDocument } = await import('./printed-document.js');
        const app = await preview();
        const document = printedDocument(app, environment, options);
        await app.close();
        process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      }),
    );
}
