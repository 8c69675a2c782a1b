import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A gateway that strips a path prefix, in a folder of its own. */
export interface Gateway {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts nginx so that `{prefix}/…` there is `/…` of the service. */
export async function startNginx(prefix: string, servicePort: number): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, prefix, servicePort));
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  });
  let output = '';
  nginx.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((done) => nginx.once('close', () => done()));
  await Promise.race([listening(port), ended.then(() => Promise.reject(new Error(`nginx ended: ${output}`)))]);
  return { port, stop: () => stop(nginx, ended, folder) };
}

function configuration(folder: string, port: number, prefix: string, servicePort: number): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off;
worker_processes 1;
pid ${join(folder, 'pid')};
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  access_log off;
  ${paths.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    location ${prefix}/ {
      proxy_pass http://127.0.0.1:${servicePort}/;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Prefix ${prefix};
    }
  }
}
`;
}

async function stop(nginx: ChildProcess, ended: Promise<void>, folder: string): Promise<void> {
  nginx.kill('SIGQUIT');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
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
