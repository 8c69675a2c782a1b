import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, ENGINES } from './engines.js';
import { ROOT } from './instance.js';
import type { Options } from './options.js';
import type { Findings, Scenario } from './scenario.js';

const FILE = join(ROOT, 'docs', 'reliability.md');
const START = '<!-- prettier-ignore-start -->\n\n';
const END = '\n\n<!-- prettier-ignore-end -->';
const HEAD = [
  'Scenario',
  'Engine',
  'Goal',
  'Faults',
  'Requests',
  'Acknowledged',
  'Lost',
  'Duplicated',
  'Half-written',
  'Stale',
  'Failed',
  'Longest pause',
  'Slowest answer',
  'Further figures',
  'Seed',
  'Date',
];

/** Returns the line of a scenario for the table and the console. */
export function line({ name, goal }: Scenario, findings: Findings, { engine, seed }: Options): string {
  const { faults, figures, ledger, audit } = findings;
  const counts =
    ledger === undefined || audit === undefined
      ? Array.from({ length: 9 }, () => '–')
      : [
          ...[ledger.requests, ledger.acknowledged, audit.lost, audit.duplicated, audit.halfWritten, ledger.stale],
          failures(ledger.failures),
          seconds(ledger.longestPause),
          seconds(ledger.slowest),
        ];
  return `| ${[name, ENGINES[engine], goal, faults, ...counts, figures.join('; ') || '–', seed, today()].join(' | ')} |`;
}

/** Replaces the lines of the scenarios that ran on an engine. Other scenarios and engines keep the line of their last run. */
export function writeReport(
  scenarios: readonly Scenario[],
  engine: Engine,
  lines: ReadonlyMap<Scenario, string>,
): void {
  const text = readFileSync(FILE, 'utf8');
  const [from, to] = [text.indexOf(START) + START.length, text.indexOf(END)];
  const old = text.slice(from, to).split('\n');
  const rows = scenarios.flatMap((scenario) => {
    const { name, goal, leftOut } = scenario;
    const engines = (Object.keys(ENGINES) as Engine[]).filter((one) => leftOut?.[one] === undefined);
    return engines.map((one) => {
      const start = `| ${name} | ${ENGINES[one]} |`;
      const earlier = old.find((row) => row.startsWith(start));
      const now = one === engine ? lines.get(scenario) : undefined;
      return now ?? earlier ?? `${start} ${goal} | not run |${' |'.repeat(HEAD.length - 4)}`;
    });
  });
  const table = [`| ${HEAD.join(' | ')} |`, `|${' --- |'.repeat(HEAD.length)}`, ...rows].join('\n');
  writeFileSync(FILE, text.slice(0, from) + table + text.slice(to));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function failures(counts: ReadonlyMap<string, number>): string {
  const all = [...counts].map(([outcome, count]) => `${count} × ${outcome}`);
  return all.length === 0 ? '0' : all.join(', ');
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
