import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { guarded } from './guard.js';

/** The path prefix of the service in deploy/nginx. */
export const PREFIX = '/kalends';

/** nginx with the configuration of deploy/nginx, in its own folder. */
export interface Gateway {
  readonly port: number;
  /** Only with a certificate. */
  readonly tlsPort: number;
  stop(): Promise<void>;
}

interface Settings {
  /** Paths of a certificate and its key. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly prefix?: string;
}

/** Starts nginx as the proxy of two instances on these ports. A single port stands for both. `prefix`: '' for none. */
export async function startNginx(
  [first = 0, second = first]: readonly number[],
  { tls, prefix = PREFIX }: Settings = {},
): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-nginx-'));
  const [port, tlsPort] = [await freePort(), await freePort()];
  const addresses = {
    'server kalends-1:3000': `server 127.0.0.1:${first}`,
    'server kalends-2:3000': `server 127.0.0.1:${second}`,
    'listen 8080': `listen 127.0.0.1:${port}`,
    'listen 8443': `listen 127.0.0.1:${tlsPort}`,
    '/tmp/': `${folder}/`,
    '/run/secrets/tls_certificate': tls?.certificate ?? '',
    '/run/secrets/tls_key': tls?.key ?? '',
    [`default ${PREFIX};`]: `default "${prefix}";`,
  };
  configure(folder, tls === undefined ? 'http.conf' : 'https.conf', addresses);
  // By default the workers run as the user `nobody`, which may not enter the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const nginx = guarded(
    spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', `daemon off; ${user}`], {
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
    }),
  );
  let output = '';
  nginx.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((done) => nginx.once('close', () => done()));
  await Promise.race([listening(port), ended.then(() => Promise.reject(new Error(`nginx ended: ${output}`)))]);
  return { port, tlsPort, stop: () => stop(nginx, ended, folder) };
}

/** Copies the configuration and replaces only addresses, file paths and the prefix. */
function configure(folder: string, server: string, replacements: Record<string, string>): void {
  cpSync(join('deploy', 'nginx'), folder, { recursive: true });
  renameSync(join(folder, server), join(folder, 'server.conf'));
  for (const file of readdirSync(folder)) {
    let text = readFileSync(join(folder, file), 'utf8');
    for (const [from, to] of Object.entries(replacements)) text = text.replaceAll(from, to);
    writeFileSync(join(folder, file), text);
  }
}

async function stop(nginx: ChildProcess, ended: Promise<void>, folder: string): Promise<void> {
  nginx.kill('SIGQUIT');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false));
      socket.unref();
      setTimeout(() => socket.destroy(), 1000).unref();
    });
    if (isOpen) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`nginx does not listen on ${port}`);
}
