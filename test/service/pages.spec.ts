import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { EventParams } from '../../src/events/event.params.js';
import { LinkedPostParams } from '../../src/linked-posts/linked-post.params.js';
import { tokenCommand } from '../../src/platform/auth/tokens.command.js';
import { userCommand, type WithApp } from '../../src/platform/auth/users.command.js';
import { errorOf, ERRORS, RECORD_ERRORS } from '../../src/errors/error-catalogue.js';
import { fieldsOf } from '../../src/platform/http/fields/field-metadata.js';
import { CategoryParams } from '../../src/categories/category.dto.js';
import { ImportCommand } from '../../src/transfer/import.command.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Reply, Sent } from '../support/client.js';
import { type Block, blocksOf, codeIn, commandsOf, pages, tableOf } from '../support/pages.js';

/** Runs the commands of each page in order on a separate server and compares the responses with the page. */
const PAGES = pages();
const HOST = 'localhost:3000';
const SCRIPTS = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts;

describe.each([...PAGES])('%s', (name, page) => {
  test('its commands work and return the responses that it shows', async () => {
    const blocks = blocksOf(page).filter(({ language }) => ['sh', 'json', 'http', 'text'].includes(language));
    if (!blocks.some(({ language }) => language === 'sh')) return;
    const service = await startApp();
    const shell = new Shell(service);
    try {
      for (const [at, block] of blocks.entries()) {
        const where = `${name}:${block.line}`;
        try {
          if (block.language === 'sh') await shell.run(block.text, showsAnswer(blocks[at + 1]));
          else shell.expectAnswer(block);
        } catch (error) {
          throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
        }
      }
    } finally {
      await service.close();
    }
  });

  test('its links have existing targets', () => {
    for (const [, target = ''] of page.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? name : join(dirname(name), path);
      expect([target, existsSync(file)]).toEqual([target, true]);
      if (anchor !== undefined) expect(anchorsOf(PAGES.get(file) ?? '')).toContain(anchor);
    }
  });

  test('if it is long, links to all its parts stand before the first', () => {
    const text = page.replace(/^```[^]*?^```$/gm, '');
    const [head = '', ...parts] = text.split(/^(?=## )/m);
    if (!name.startsWith('docs/') || parts.length < 2) return;
    const linked = [...head.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(linked).toEqual(expect.arrayContaining(parts.map((part) => anchorsOf(part)[0])));
  });

  test('the files and scripts it names exist', () => {
    // `npm run test:examples` tests the files that the reader is to write.
    const written = [...page.matchAll(/^New file `([^`]+)`/gm)].map(([, path]) => path);
    for (const [, path = ''] of page.matchAll(/`((?:src|test|docs|examples)\/[\w./-]+\.\w+)`/g)) {
      expect([path, existsSync(path) || written.includes(path)]).toEqual([path, true]);
    }
    for (const [, script = ''] of page.matchAll(/npm run ([\w:]+)/g)) expect(SCRIPTS).toHaveProperty([script]);
  });
});

const page = (name: string) => PAGES.get(`docs/${name}.md`) ?? '';

test('errors.md lists every error of the catalogue with its status, and no other', () => {
  const listed = tableOf(page('errors'), 'Status').flatMap(([statuses = '', codes = '']) =>
    codeIn(codes).map((code) => [code, statuses.split(' ').map(Number)] as const),
  );
  // These two have a second status, which depends on the credentials and on the path.
  const second: Record<string, number[]> = { rest_forbidden: [401, 403], rest_no_route: [404, 405] };
  const ofRecords = Object.keys(RECORD_ERRORS).flatMap((form) => {
    const terms = form.startsWith('rest-') ? ['category', 'tag'] : [];
    return ['event', 'venue', 'organizer', ...terms].map((noun) => form.replace('{noun}', noun));
  });
  const ofWebhooks = ['rest-webhook-not-found', 'webhook-archive-page-not-found'];
  const known = [...Object.keys(ERRORS), ...ofRecords, ...ofWebhooks].map(
    (code) => [code, second[code] ?? [errorOf(code)?.status]] as const,
  );
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(known));
  expect(listed).toHaveLength(known.length);
});

test.each([
  ['Lists events', EventParams],
  ['Lists records', LinkedPostParams],
  ['Lists terms', CategoryParams],
])('filters.md, "%s", names every parameter', (heading, params) => {
  const rows = tableOf(page('filters'), 'Parameter', heading);
  const named = rows.flatMap(([names = '']) => codeIn(names));
  expect(named.toSorted()).toEqual(
    fieldsOf(params)
      .map(({ name }) => name)
      .toSorted(),
  );
});

test('copies.md shows the loops of examples/mirror', () => {
  const programs = ['mirror.py', 'mirror.ts'].map((name) => readFileSync(join('examples/mirror', name), 'utf8'));
  const loops = blocksOf(page('copies')).filter(({ language }) => ['python', 'ts'].includes(language));
  expect(loops.map(({ text }, index) => programs[index]?.includes(text))).toEqual([true, true]);
});

test('dates-and-zones.md: every date form has the documented meaning', async () => {
  const meanings = tableOf(page('dates-and-zones'), 'You send');
  const service = await startApp();
  const answers: string[] = [];
  for (const [form = ''] of meanings) {
    const body = { title: 'T', start_date: codeIn(form)[0], end_date: '2028-01-01' };
    answers.push((await service.client.post('/events', body, service.tokens.adm)).body.start_date as string);
  }
  await service.close();
  expect(meanings.map(([form], at) => [form, `\`${answers[at]}\``])).toEqual(
    meanings.map(([form, meaning]) => [form, meaning]),
  );
});

function showsAnswer(next: Block | undefined): boolean {
  return next !== undefined && next.language !== 'sh';
}

/** Returns the anchors that GitHub gives to headings. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Runs the curl and kalends commands and the assignments of a page. Of npm it only checks that the script exists. */
class Shell {
  private readonly variables = new Map<string, string>();
  private reply: Reply | undefined;
  private output = '';

  constructor(private readonly service: TestApp) {}

  /** `isShown`: the page shows the last response after the block. A failure that is not shown is an error. */
  async run(text: string, isShown: boolean): Promise<void> {
    this.reply = undefined;
    for (const words of commandsOf(text, (name) => this.valueOf(name))) {
      this.mustHaveSucceeded();
      this.reply = undefined;
      await this.runOne(words);
    }
    if (!isShown) this.mustHaveSucceeded();
  }

  private mustHaveSucceeded(): void {
    if (this.reply !== undefined && this.reply.status >= 400) throw new Error(this.reply.text);
  }

  /** Ignores members that the page omits from a response. Lists must be complete. */
  expectAnswer({ language, text }: Block): void {
    if (language === 'text') return expect(this.output.trim()).toMatch(pattern(text));
    const { body, status, headers } = this.reply as Reply;
    if (language === 'json') {
      const expected = JSON.parse(text) as { data?: { status?: number } };
      expect(body).toMatchObject(expected);
      return expect(status).toBe(expected.data?.status ?? (status === 201 ? 201 : 200));
    }
    const [first = '', ...lines] = text.trim().split('\n');
    expect(`HTTP/1.1 ${status}`).toBe(first.split(' ').slice(0, 2).join(' '));
    for (const line of lines) {
      const [, header = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
      expect(`${header}: ${headers[header.toLowerCase()]}`).toMatch(pattern(`${header}: ${value}`));
    }
  }

  private valueOf(name: string): string {
    const value = this.variables.get(name);
    if (value === undefined) throw new Error(`$${name} is not set`);
    return value;
  }

  private async runOne(words: readonly string[]): Promise<void> {
    const [program = '', ...rest] = words;
    if (/^[A-Z_]+=/.test(program)) {
      const at = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
      for (const word of words.slice(0, at < 0 ? undefined : at)) this.assign(word);
      if (at >= 0) await this.runOne(words.slice(at));
    } else if (program === 'curl') this.reply = await this.curl(rest);
    else if (program === 'kalends') await this.kalends(rest);
    else if (program === 'node' && rest[0] === 'dist/cli.js') await this.kalends(rest.slice(1));
    else if (program === 'npm') expectScript(rest);
    else throw new Error(`${program} is not a command of these pages`);
  }

  private assign(word: string): void {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    this.variables.set(name, name === 'TOKEN' && value === '…' ? this.service.tokens.adm : value);
  }

  private curl(words: readonly string[]): Promise<Reply> {
    const sent = readCurl(words);
    const { protocol, host } = new URL(sent.url);
    if (`${protocol}//${host}` !== `http://${HOST}`) throw new Error(`${sent.url} is not on this server`);
    const path = sent.url.slice(sent.url.indexOf('/', 'http://'.length));
    return this.service.client.raw(path, { ...sent, headers: { host: HOST, ...sent.headers } });
  }

  /** Runs commands of cli.ts in this process, so that they use the fixed clock of the tests. */
  private async kalends(words: readonly string[]): Promise<void> {
    const { app } = this.service;
    const run: WithApp = async (command) => expect(await command(app)).toBe(0);
    const program = new Command('kalends').exitOverride();
    const access = { reading: run, administering: run };
    program.addCommand(userCommand(access)).addCommand(tokenCommand(access));
    program
      .command('import <file>')
      .action((file: string) => run(() => app.get(ImportCommand).run(file, { dryRun: false, idsAreOurs: false })));
    this.output = await outputOf(() => program.parseAsync(words, { from: 'user' }));
  }
}

async function outputOf(work: () => Promise<unknown>): Promise<string> {
  const { stdout, stderr } = process;
  const [write, writeError] = [stdout.write.bind(stdout), stderr.write.bind(stderr)];
  let output = '';
  stdout.write = (text: string | Uint8Array) => ((output += text.toString()), true);
  stderr.write = () => true;
  try {
    await work();
  } finally {
    Object.assign(stdout, { write });
    Object.assign(stderr, { write: writeError });
  }
  return output;
}

function expectScript(words: readonly string[]): void {
  const [command = '', script = ''] = words;
  if (command !== 'ci') expect(SCRIPTS).toHaveProperty([command === 'run' ? script : command]);
}

/** Returns the request that curl would send for these arguments. */
function readCurl(words: readonly string[]): Sent & { url: string; headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let [method, url, inQuery]: [string | undefined, string, boolean] = [undefined, '', false];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const argument = () => rest.shift() ?? '';
    if (word === '-X') method = argument();
    else if (word === '-I') method = 'HEAD';
    else if (word === '-G') inQuery = true;
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+): ?(.*)$/s.exec(argument()) ?? [];
      headers[name.toLowerCase()] = value;
    } else if (word === '-u') headers.authorization = `Basic ${Buffer.from(argument()).toString('base64')}`;
    else if (word === '-d') data.push(argument());
    else if (word === '--data-urlencode') data.push(argument().replace(/(?<==).*/s, encodeURIComponent));
    else if (word === '--json') {
      data.push(argument());
      headers['content-type'] = headers.accept = 'application/json';
    } else if (word.startsWith('-') && !['-s', '-i', '-si'].includes(word))
      throw new Error(`curl ${word} is not known`);
    else if (!word.startsWith('-')) url = word;
  }
  if (inQuery) return { url: `${url}?${data.join('&')}`, method, headers };
  if (data.length === 0) return { url, method, headers };
  const body = data.join('&');
  return {
    url,
    method: method ?? 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    },
    body,
  };
}

/** `…` in a shown response matches any text. */
function pattern(text: string): RegExp {
  const parts = text.trim().split('…');
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*')}$`);
}
