import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startApp, type TestApp } from '../support/app.js';

const LINTER = 'tools/node_modules/@redocly/cli/bin/cli.js';
const ENV = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

interface Report {
  readonly totals: object;
  readonly problems: readonly { ruleId: string; message: string; location: readonly { pointer: string }[] }[];
}

let service: TestApp;
beforeAll(async () => (service = await startApp()));
afterAll(() => service.close());

test.each(['en', 'de', 'fr'])(
  'DOC-06: the Redocly linter reports no problems in %s with its recommended rules',
  async (language) => {
    const file = join(mkdtempSync(join(tmpdir(), 'kalends-lint-')), 'openapi.json');
    writeFileSync(file, (await service.client.raw(`/${language}${service.client.mount}/doc`)).text);
    const { totals, problems } = await lint(file);
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  },
  120_000,
);

async function lint(file: string): Promise<Report> {
  const args = [LINTER, 'lint', file, '--config', 'tools/redocly.yaml', '--format', 'json', '--max-problems', '100'];
  // The linter exits with 1 when it finds problems, and prints them.
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: ENV, maxBuffer: 1e8 }).catch(
    (error: { stdout: string }) => error,
  );
  return JSON.parse(stdout) as Report;
}
