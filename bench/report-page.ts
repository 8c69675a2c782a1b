import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { afterCommitTable } from './after-commit.js';
import { besideTable } from './beside.js';
import { SYNCHRONOUS } from './database.js';
import type { ImportRun } from './import.js';
import type { Options } from './options.js';
import { growthTable, type SizeFigures, table } from './report.js';

/** Returns the results of one engine as Markdown, with the machine and the command. */
export function figures(options: Options, sizes: readonly SizeFigures[], imported: ImportRun | undefined): string {
  return [
    conditions(options),
    ...sizes.map(
      (size) =>
        `${size.events.toLocaleString('en-US')} events:\n\n${[tableOf(size), besideTable(size.besides), start(size)].filter((part) => part !== '').join('\n\n')}`,
    ),
    growth(sizes),
    imported === undefined ? '' : importLine(imported),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function tableOf({ comparisons, afterCommit }: SizeFigures): string {
  return comparisons.length === 0 ? '' : [table(comparisons), afterCommitTable(afterCommit)].join('\n\n');
}

/** Replaces the text between the markers of the engine. */
export function writeInto(page: string, engine: string, text: string): void {
  const [from, to] = [`<!-- bench: ${engine} -->`, `<!-- end of bench: ${engine} -->`];
  const old = readFileSync(page, 'utf8');
  const [start, end] = [old.indexOf(from), old.indexOf(to)];
  if (start < 0 || end < start) throw new Error(`${page} has no markers for ${engine}`);
  writeFileSync(page, `${old.slice(0, start + from.length)}\n\n${text}\n\n${old.slice(end)}`);
}

function conditions({ engine, seconds, rounds, connections }: Options): string {
  const [{ model } = { model: 'unknown' }] = cpus();
  const machine = `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;
  const load = loadavg()
    .map((one) => one.toFixed(1))
    .join(', ');
  const prefix = SYNCHRONOUS === 'full' ? '' : `SQLITE_SYNCHRONOUS=${SYNCHRONOUS} `;
  const command = `${prefix}npm run bench -- ${process.argv.slice(2).join(' ')}`;
  return (
    `Measured on ${new Date().toISOString().slice(0, 10)} by \`${command.trim()}\` (${engine}; ${rounds} rounds of ` +
    `${seconds} s, ${connections} connections) on ${machine}; load averages at the end ${load}.`
  );
}

function start({ startCpu, comparisons, besides }: SizeFigures): string {
  const times = startCpu.map(([name, time]) => `${name} ${(time / 1e6).toFixed(2)} s`).join(', ');
  const runs = [...comparisons.map(({ kalends }) => kalends), ...besides.map(({ cached }) => cached.page)];
  const most = Math.max(...runs.map(({ memory }) => memory));
  return `Processor time until the first answer: ${times}. Most resident memory of Kalends after a run: ${Math.round(most)} MB.`;
}

function growth(sizes: readonly SizeFigures[]): string {
  const text = growthTable(sizes);
  return text === ''
    ? ''
    : `Growth of the median time, from the smallest size to the largest (below 1 ms counts as 1):\n\n${text}`;
}

function importLine({ events, kalends, raw }: ImportRun): string {
  const rate = (seconds: number) => Math.round(events / seconds).toLocaleString('en-US');
  return (
    `Import of ${events.toLocaleString('en-US')} events: ${rate(kalends)} a second, raw inserts in transactions of the ` +
    `same size ${rate(raw)}: **${(raw / kalends).toFixed(2)}**.`
  );
}
