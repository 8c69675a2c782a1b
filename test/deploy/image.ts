import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

/** The user `nobody`, because it owns no file of the image. */
const USER = 65534;

/**
 * Makes the root file system and the image ($1) read-only, except the volume ($2) at `data`. Then becomes a user
 * without privileges. Only this process sees the mounts.
 */
const LOCKED = `
  set -e
  mount --bind "$1" "$1" && mount --bind "$2" "$1/data"
  mount -o remount,ro,bind "$1" && mount -o remount,ro,bind /
  cd "$1" && ! touch file 2>/dev/null
  exec setpriv --reuid=${USER} --regid=${USER} --clear-groups --no-new-privs --bounding-set=-all "$3" --disable-proto=delete dist/main.js
`;

/** A folder with the files of the Dockerfile's last stage. */
export class Image {
  private constructor(
    private readonly folder: string,
    private readonly volume: string,
  ) {}

  static make(): Image {
    // Inside the source tree, because hard links do not work across file systems.
    mkdirSync('coverage', { recursive: true });
    const home = mkdtempSync(resolve('coverage', 'image-'));
    const [folder, volume] = [join(home, 'app'), join(home, 'volume')];
    for (const path of [folder, join(folder, 'data'), volume]) mkdirSync(path);
    for (const path of [home, folder, volume]) chmodSync(path, 0o755);
    chownSync(volume, USER, USER);
    cpSync('package.json', join(folder, 'package.json'));
    cpSync('dist', join(folder, 'dist'), { recursive: true });
    linkProduction(folder);
    return new Image(folder, volume);
  }

  /** Starts the service and waits until it is ready. */
  async start(settings: Record<string, string>): Promise<{ port: number; child: ChildProcess }> {
    const port = await freePort();
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...settings,
    };
    const args = ['--mount', '--propagation', 'private', 'bash', '-c', LOCKED, 'bash'];
    const child = spawn('unshare', [...args, this.folder, this.volume, process.execPath], { env });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const isReady = async () => {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${said}`);
      return fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    };
    await until(isReady, 60_000);
    return { port, child };
  }

  remove(): void {
    rmSync(dirname(this.folder), { recursive: true, force: true });
  }
}

/** Stops the service and returns its exit code. */
export async function stop(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/** Returns user, effective capabilities and no_new_privs of a running process. */
export function rightsOf({ pid }: ChildProcess): Record<string, string | undefined> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const value = (name: string) => new RegExp(`^${name}:\\t(\\S+)`, 'm').exec(status)?.[1];
  return { user: value('Uid'), capabilities: value('CapEff'), noNewPrivileges: value('NoNewPrivs') };
}

/** Links the packages that `npm prune --omit=dev` would keep. */
function linkProduction(folder: string): void {
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { encoding: 'utf8' });
  const paths = listed.split('\n').filter((path) => path.includes('node_modules'));
  const outermost = paths.map((path) => relative('.', path)).filter((path) => !path.includes('/node_modules/'));
  for (const path of new Set(outermost)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    execFileSync('cp', ['-rl', path, target]);
  }
}
