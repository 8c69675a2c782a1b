import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startApp } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { emptyFolder } from '../support/process.js';

type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- documents of every shape

const LANGUAGES = ['en', 'de', 'fr'];
const ROOT = '/calendar/events/v1';
/** No server listens at this URL, so that any use of the database fails. */
const NO_DATABASE = { DATABASE_URL: 'mysql://nobody@127.0.0.1:1/none' };

const printed = new Map<string, string>();
beforeAll(async () => {
  for (const language of LANGUAGES) {
    const { code, stdout, stderr } = await runCommand(['openapi', '--language', language, '--url', ROOT], NO_DATABASE);
    expect([language, code, stderr]).toEqual([language, 0, '']);
    printed.set(language, stdout);
  }
}, 60_000);

const parsed = (language: string): Json => JSON.parse(printed.get(language) as string);

describe('kalends openapi', () => {
  test.each(LANGUAGES)('DOC-08: prints in %s the same document as /doc, except for default dates', async (language) => {
    const service = await startApp();
    try {
      const { body } = await service.client.raw(`/${language}${ROOT}/doc`);
      body.servers = [{ url: ROOT }];
      for (const parameter of body.paths['/events'].get.parameters) {
        if (['start_date', 'end_date'].includes(parameter.name as string)) delete parameter.schema.default;
      }
      expect(parsed(language)).toEqual(body);
    } finally {
      await service.close();
    }
  });

  test('prints only the document and creates no file', async () => {
    const folder = emptyFolder();
    const { code, stdout } = await runCommand(['openapi'], { BASE_PATH: '/site', PORT: '8080' }, folder);
    expect([code, JSON.parse(stdout).servers]).toEqual([0, [{ url: 'http://localhost:8080/site/calendar/events/v1' }]]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
    const behind = await runCommand(['openapi'], { PUBLIC_URL: 'https://example.com/team' });
    expect(JSON.parse(behind.stdout).servers).toEqual([{ url: 'https://example.com/team/calendar/events/v1' }]);
  }, 60_000);

  test('rejects unknown languages and invalid settings', async () => {
    const unknown = await runCommand(['openapi', '--language', 'es'], {});
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toMatch(/en, de, fr/);
    const wrong = await runCommand(['openapi'], { PORT: 'x' });
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toMatch(/^PORT: /m);
  }, 60_000);
});

test('the message of a webhook is a callback of createWebhook, in each language', () => {
  const summaries = LANGUAGES.map((language) => {
    const { post } = parsed(language).paths['/webhooks'].post.callbacks.message['{$request.body#/url}'];
    expect(post.parameters.map(({ name }: Json) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    return post.summary;
  });
  expect(new Set(summaries).size).toBe(LANGUAGES.length);
});

test('DOC-04: docs/openapi.yaml is up to date; otherwise run npm run openapi', () => {
  const committed = parse(readFileSync('docs/openapi.yaml', 'utf8'), { maxAliasCount: -1 });
  const { version, ...info } = parsed('en').info;
  // The version is not compared, because a release changes it without changing the API.
  expect({ hint: 'npm run openapi', ...committed, info: { ...committed.info, version } }).toEqual({
    hint: 'npm run openapi',
    ...parsed('en'),
    info: { ...info, version },
  });
});
