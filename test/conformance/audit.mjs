// Known weaknesses of what runs in production: npm run audit. Fails from "moderate" on; where the registry does not
// answer the question, it says so and does not fail: then nobody has looked.
import { spawnSync } from 'node:child_process';

const SEVERITIES = ['moderate', 'high', 'critical'];
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 120_000 });
const report = parsed(stdout ?? '');

if (report?.metadata?.vulnerabilities === undefined) {
  console.log(`npm audit: not run (${report?.message ?? 'no answer from the registry'})`);
} else {
  const counts = SEVERITIES.map((severity) => `${report.metadata.vulnerabilities[severity]} ${severity}`);
  console.log(`npm audit: ${counts.join(', ')}`);
  const found = Object.values(report.vulnerabilities).filter(({ severity }) => SEVERITIES.includes(severity));
  for (const { name, severity, range } of found) console.log(`  ${name} ${range}: ${severity}`);
  process.exitCode = found.length > 0 ? 1 : 0;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
