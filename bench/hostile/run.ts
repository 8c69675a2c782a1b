import { parseArgs } from 'node:util';
import { buildBaseline } from '../baseline.js';
import { sizesFor } from '../dataset/bodies.js';
import { copyDatabase, createDatabase } from '../dataset/place.js';
import { command, startKalends } from '../processes.js';
import { log } from '../tell.js';
import { type Attack, attacks } from './attacks.js';

/**
 * Measures the cost of hostile requests for this tree and another commit. Uses SQLite, where a long statement blocks all
 * other requests.
 */
const { values } = parseArgs({
  options: {
    against: { type: 'string', default: 'HEAD' },
    size: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    attacks: { type: 'string', default: '' },
  },
});

const events = Number(values.size);
const chosen = values.attacks.split(',').filter(Boolean);
log(`building ${values.against}`);
const baseline = await buildBaseline(values.against);
try {
  const benchDatabase = await createDatabase(undefined, 'before');
  log(`loading ${events} events`);
  await baseline.load(benchDatabase.url, sizesFor(events));
  const copy = await copyDatabase(benchDatabase.url, undefined, 'now');
  await command('migrate', copy.url);
  const lines: string[] = [];
  for (const attack of attacks(events).filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    lines.push(line(attack, await alternately(attack, { before: benchDatabase.url, now: copy.url })));
    log(lines.at(-1) ?? '');
  }
  const head = ['| Attack | Cost | Before | Now | Ratio |', '| --- | --- | --: | --: | --: |'];
  process.stdout.write(
    `${events} events, this tree against ${baseline.commit}:\n\n${[...head, ...lines].join('\n')}\n`,
  );
  await copy.drop();
  await benchDatabase.drop();
} finally {
  baseline.remove();
}

/** Runs the attack on both in turns. Each run starts a new service, because an attack may affect later ones. */
async function alternately(attack: Attack, urls: { before: string; now: string }) {
  const figures: { before: number[]; now: number[] } = { before: [], now: [] };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    figures.before.push(await once(attack, urls.before, baseline.root));
    figures.now.push(await once(attack, urls.now));
  }
  return { before: median(figures.before), now: median(figures.now) };
}

async function once(attack: Attack, url: string, root?: string): Promise<number> {
  const settings = { CACHE_ENTRIES: '0' };
  const contender = await startKalends(url, { settings, ...(root === undefined ? {} : { root }) });
  try {
    return await attack.run(contender);
  } finally {
    await contender.stop();
  }
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0;
}

function line({ about, unit }: Attack, { before, now }: { before: number; now: number }): string {
  return `| ${about} | ${unit} | ${before.toFixed(1)} | ${now.toFixed(1)} | ${(now / before).toFixed(3)} |`;
}
