import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join, resolve } from 'node:path';
import { runCommand } from '../support/command.js';
import { emptyFolder, runCli } from '../support/process.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const TOKEN = 'operators-token-of-at-least-32-characters';

describe('kalends', () => {
  it('keep their compiled code beside the program, where Node.js can', async () => {
    await runCli(['--version'], {});
    const folders = existsSync('dist/.cache') ? readdirSync('dist/.cache') : [];
    expect(folders.some((name) => name.startsWith(`${process.version}-`))).toBe('enableCompileCache' in module);
  });

  it('--version shows the version', async () => {
    expect(await runCommand(['--version'], {})).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  it('migrate names the database and says what it did', async () => {
    const folder = emptyFolder();
    // As processes, because this one has loaded the engine of the run, which may be another than the default.
    const first = await runCli(['migrate'], {}, folder);
    expect(first).toMatchObject({ code: 0, stderr: `Database: ${join(folder, 'data', 'kalends.sqlite')}\n` });
    expect(first.stdout).toMatch(/^Applied \d+ migrations:\n {2}InitialSchema1795132800000\n( {2}\w+\n)+$/);
    expect((await runCli(['migrate'], {}, folder)).stdout).toBe('The schema is up to date.\n');
  });

  it.each([['purge'], ['reread'], ['changes', 'reset']])('%s %s creates no database', async (...args) => {
    const folder = emptyFolder();
    const file = join(folder, 'wrong', 'kalends.sqlite');
    const { code, stderr } = await runCommand(args, { DATABASE_URL: `sqlite:${file}` }, folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no database at ${file}.`)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([['--help'], ['import', '--help'], ['purge', '--help'], ['restore', '--help'], ['user', 'add', '--help']])(
    '%s %s describes the options without defaults that say nothing',
    async (...args) => {
      const { code, stdout } = await runCommand(args, {});
      expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: kalends ')]);
      expect(stdout).not.toMatch(/default: (false|"-")/);
    },
  );

  it('ends quietly when the reader of its output leaves', () => {
    const command = `"${process.execPath}" "${resolve('dist', 'cli.js')}" openapi | head -c 1; echo "\${PIPESTATUS[0]}"`;
    const env = { PATH: process.env.PATH };
    const output = execFileSync('bash', ['-c', `exec 2>&1; ${command}`], {
      ...{ cwd: emptyFolder(), env, encoding: 'utf8' },
      // With a socket as its input bash would read its start files.
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(output).toBe('{0\n');
  }, 60_000);
});

describe('kalends doctor', () => {
  it('shows where each setting comes from, hides secrets, and creates no database', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, '.env'), `PORT=4000\nSITE_NAME=File\nKALENDS_ADMIN_TOKEN=${TOKEN}\nLANGUAGE=de\n`);
    const REDIS_URL = 'redis://user:word@localhost:6379/1';
    const settings = { PORT: '5000', REDIS_URL, PROT: '1' };
    const { code, stdout } = await runCommand(['doctor', '--all'], settings, folder);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Kalends [\d.]+, Node\.js [\d.]+, \w+ \w+\n/);
    const rows = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(rows).toEqual(
      expect.arrayContaining([
        ['PORT', '5000', 'environment'],
        ['SITE_NAME', 'File', '.env'],
        ['KALENDS_ADMIN_TOKEN', '(secret)', '.env'],
        ['REDIS_URL', 'redis://(secret)@localhost:6379/1', 'environment'],
        ['MAX_PER_PAGE', '100', 'default'],
        ['COMPRESSION', 'on', 'default'],
        ['Name', join(folder, 'data', 'kalends.sqlite')],
        ['- PROT is no setting. Did you mean PORT?'],
        ['- .env: LANGUAGE is no setting. Did you mean LANGUAGES?'],
      ]),
    );
    expect(stdout).toContain(`Problems\n  - There is no database at ${join(folder, 'data', 'kalends.sqlite')}.`);
    for (const secret of [TOKEN, 'word']) expect(stdout).not.toContain(secret);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('shows only what was set, and how many settings have their defaults', async () => {
    const { stdout } = await runCommand(['doctor'], { PORT: '5000' });
    expect(stdout).toMatch(/^ {2}PORT +5000 +environment$/m);
    expect(stdout).toMatch(/^ {2}\d+ settings not set: kalends doctor --all shows the defaults\.$/m);
    expect(stdout).not.toContain('MAX_PER_PAGE');
  });

  it('names every wrong setting, and an unreadable .env', async () => {
    const wrong = await runCommand(['doctor'], { PORT: 'http', LOG_LEVEL: 'loud' });
    expect([wrong.code, wrong.stdout]).toEqual([
      1,
      expect.stringMatching(/\nProblems\n {2}- PORT: .+\n {2}- LOG_LEVEL: .+\n$/),
    ]);
    const folder = emptyFolder();
    mkdirSync(join(folder, '.env'));
    const unreadable = await runCommand(['doctor'], {}, folder);
    expect(unreadable).toMatchObject({ code: 1, stderr: expect.stringMatching(/^\.env: .+EISDIR.+\n$/) });
  });
});

describe('kalends completion', () => {
  /** What bash offers after these words. The last one may be incomplete. */
  const offered = async (...words: string[]) => {
    const { stdout: script } = await runCommand(['completion', 'bash'], {});
    const line = `COMP_WORDS=(kalends ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`;
    const program = `${script}\n${line}\ncompopt() { :; }\n_kalends\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync('bash', ['-c', program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return output.trimEnd().split('\n');
  };

  it('offers bash commands, subcommands, options and choices', async () => {
    expect(await offered('')).toEqual(expect.arrayContaining(['serve', 'doctor', 'import', 'user', '--version']));
    expect(await offered('imp')).toEqual(['import']);
    expect(await offered('user', '')).toEqual(expect.arrayContaining(['add', 'list', 'set-role', 'remove']));
    expect(await offered('user', 'add', 'ann', '--r')).toEqual(['--role']);
    expect(await offered('user', 'add', 'ann', '--role', 'a')).toEqual(['author', 'administrator']);
    expect(await offered('user', 'set-role', 'ann', 'e')).toEqual(['editor']);
    expect(await offered('completion', 'z')).toEqual(['zsh']);
    expect(await offered('token', 'create', 'ann', '--name', '')).toEqual(['']);
    expect(await offered('import', '')).toEqual(['']);
  });

  it('describes the same to zsh and fish', async () => {
    const { stdout: zsh } = await runCommand(['completion', 'zsh'], {});
    expect(zsh).toContain("'kalends user') words_here=('add:make a user' 'list:show all users'");
    expect(zsh).toContain("'kalends user add --role') compadd -- 'subscriber' 'contributor' 'author' 'editor'");
    expect(zsh).toMatch(/'kalends import'\) .*; _files ;;/);
    const { stdout: fish } = await runCommand(['completion', 'fish'], {});
    expect(fish).toContain(`complete -c kalends -n '__kalends_at "kalends user"' -a 'add' -d 'make a user'\n`);
    expect(fish).toMatch(/-n '__kalends_at "kalends user add"' -l role -x -a 'subscriber contributor .+' -d '.+'\n/);
    expect(fish).toContain(`complete -c kalends -n '__kalends_at "kalends import"' -F\n`);
  });
});
