/**
 * Runs tests with Prism between their client and the service: `node test/proxy/run.mjs [vitest arguments]`.
 * Fails when a test fails or Prism finds a violation. Violations are written to coverage/proxy.json.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { judge } from './judge.mjs';
import { startPrism } from './prism.mjs';

const REPORT = 'coverage/proxy.json';

const violations = [];
const count = { carried: 0, forms: 0 };

function seen(exchange) {
  const found = judge(exchange);
  count.carried += 1;
  count.forms += found.forms;
  violations.push(...found.violations);
}

/** Tests send the OpenAPI document of each base URL here and get the port of its Prism proxy. */
const control = createServer(async (request, response) => {
  try {
    const root = new URL(request.url, 'http://localhost').searchParams.get('root');
    response.end(String(await startPrism(root, await text(request), seen)));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
control.listen(0, '127.0.0.1', () => {
  const env = { ...process.env, PROXY_CONTROL: `http://127.0.0.1:${control.address().port}` };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)];
  spawn(process.execPath, vitest, { env, stdio: 'inherit' }).on('close', finish);
});

function finish(code) {
  mkdirSync('coverage', { recursive: true });
  writeFileSync(REPORT, `${JSON.stringify({ ...count, violations }, null, 2)}\n`);
  for (const { part, method, url, status, message } of violations.slice(0, 20))
    console.log(`${part}: ${method.toUpperCase()} ${url.path} → ${status}: ${message}`);
  console.log(`proxy: ${count.carried} exchanges carried, ${violations.length} violations, see ${REPORT}`);
  process.exit(code === 0 && count.carried > 0 && violations.length === 0 ? 0 : 1);
}
