import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { freePort } from './processes.js';

export interface OwnServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a MariaDB server in its own folder, with enough memory for the data, and durable commits (the default). */
export async function startOwnServer(): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-bench-server-'));
  const { username } = userInfo();
  const common = ['--no-defaults', `--datadir=${join(folder, 'data')}`, `--user=${username}`];
  const made = spawnSync('mariadb-install-db', [...common, '--auth-root-authentication-method=normal']);
  if (made.status !== 0) throw new Error(`mariadb-install-db: ${String(made.stderr)}`);
  const port = await freePort();
  const own = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'socket')}`];
  const memory = ['--innodb-buffer-pool-size=3G', '--innodb-log-file-size=1G'];
  const server = spawn('mariadbd', [...common, ...own, ...memory], { stdio: 'ignore' });
  const url = `mysql://root@127.0.0.1:${port}`;
  await waitUntilReady(url);
  const stop = async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'close');
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, pid: server.pid ?? 0, stop };
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const connection = await mysql.createConnection(url);
      return await connection.end();
    } catch (error) {
      if (attempt === 300) throw error;
      await sleep(100);
    }
  }
}
