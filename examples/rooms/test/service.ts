import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  // The tests know what each response holds.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** The service of this repository as a process, on DATABASE_URL or a SQLite file in a folder of its own. */
export interface Service {
  /** Sends a request with the rights of the administrator, or of nobody. */
  send(method: string, path: string, body?: object, caller?: 'admin' | 'nobody'): Promise<Response>;
  /** Runs a command. Returns what it printed. */
  command(...args: string[]): Promise<string>;
  /** Returns the exit code. */
  stop(): Promise<number | null>;
}

export async function startService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'rooms-'));
  const { DATABASE_URL = `sqlite:${join(folder, 'data/rooms.db')}` } = process.env;
  const options = {
    cwd: folder,
    env: { ...process.env, DATABASE_URL, PORT: '0', HOST: '127.0.0.1', SHUTDOWN_DELAY: '0' },
  };
  const child = spawn(process.execPath, [resolve('dist/main.js')], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  let output = '';
  const url = await new Promise<string>((found, failed) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const [, ready] = /"url":"([^"]+)","msg":"ready"/.exec(output) ?? [];
      if (ready !== undefined) found(ready);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then((code) => failed(new Error(`The service ended with ${code}: ${output}`)));
  });
  const token = readFileSync(join(folder, 'data/admin-token'), 'utf8').trim();
  return {
    async send(method, path, body, caller = 'admin') {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(caller === 'admin' ? { authorization: `Bearer ${token}` } : {}),
        },
        body: body && JSON.stringify(body),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
    },
    async command(...args) {
      const { stdout } = await promisify(execFile)(process.execPath, [resolve('dist/cli.js'), ...args], {
        ...options,
        maxBuffer: 16 * 1024 * 1024,
      });
      return stdout;
    },
    async stop() {
      child.kill('SIGTERM');
      const code = await exited;
      rmSync(folder, { recursive: true });
      return code;
    },
  };
}
