import { parseArgs } from 'node:util';
import { openDriver } from './database.js';
import { type Sizes, sizesFor } from './dataset/bodies.js';
import { load } from './dataset/load.js';
import { createDatabase } from './dataset/place.js';
import { startOwnServer } from './own-server.js';
import { log } from './tell.js';
import { allWorkloads, type Workload } from './workloads.js';

/** A filled database, and the options of the command. */
export interface DataSet {
  readonly url: string;
  readonly sizes: Sizes;
  /** The duration of one measurement. */
  readonly seconds: number;
  readonly rounds: number;
  /** The settings of `INDEX`, comma-separated. */
  readonly index: string;
  /** The folder of the built tree. undefined: this one. */
  readonly root: string | undefined;
}

/**
 * Calls `work` for each size of the command line. The data are in a SQLite file, or on the server of `--server URL`, or on a
 * separate MariaDB server (`--own-server`). `--url URL` takes a data set that `--keep` has left.
 */
export async function forEachDataSet(
  name: string,
  defaults: { readonly index: string; readonly seconds: string },
  work: (set: DataSet) => Promise<void>,
): Promise<void> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      server: text,
      'own-server': flag,
      url: text,
      keep: flag,
      index: { ...text, default: defaults.index },
      root: text,
      seconds: { ...text, default: defaults.seconds },
      rounds: { ...text, default: '3' },
    },
  });
  const own = values['own-server'] ? await startOwnServer() : undefined;
  const { index, root } = values;
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
  try {
    for (const sizes of (positionals.length === 0 ? ['10000'] : positionals).map(Number).map(sizesFor)) {
      const database =
        values.url === undefined
          ? await createDatabase(own?.url ?? values.server, `${name}_${sizes.events}`)
          : { url: values.url, drop: () => Promise.resolve() };
      try {
        if (values.url === undefined) {
          log(`loading ${sizes.events} events`);
          await load(database.url, sizes);
        }
        const engine = database.url.startsWith('sqlite:') ? 'SQLite' : 'MariaDB or MySQL';
        say(`\n${sizes.events.toLocaleString('en-US')} events, ${engine}`);
        await work({ url: database.url, sizes, seconds, rounds, index, root });
      } finally {
        if (values.keep) log(`kept: ${database.url}`);
        else await database.drop();
      }
    }
  } finally {
    await own?.stop();
  }
}

/** Returns the workloads with these names, in their order. */
export async function workloadsOf({ url, sizes }: DataSet, names: readonly string[]): Promise<Workload[]> {
  const driver = openDriver(url);
  const all = await allWorkloads(driver, sizes);
  await driver.close();
  return names.map((name) => all.find((one) => one.name === name)!);
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Returns a Markdown table. All columns but the first are numbers. */
export function markdown(head: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `| --- |${' --: |'.repeat(head.length - 1)}`, ...lines.map(line)].join('\n');
}
