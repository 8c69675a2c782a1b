import { parseArgs } from 'node:util';
import { type Engine, ENGINES, isEngine } from './engines.js';

export interface Options {
  /** Names of scenarios. Empty means all. */
  readonly scenarios: readonly string[];
  readonly engine: Engine;
  readonly seed: number;
  readonly isShort: boolean;
  /** True writes the figures to docs/reliability.md. */
  readonly isReported: boolean;
}

export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string', default: '' },
      engine: { type: 'string', default: 'mariadb' },
      seed: { type: 'string', default: '20261122' },
      short: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
    },
  });
  const { engine } = values;
  if (!isEngine(engine)) {
    process.stderr.write(`There is no engine ${engine}; there are ${Object.keys(ENGINES).join(', ')}.\n`);
    process.exit(2);
  }
  return {
    engine,
    scenarios: values.scenario.split(',').filter(Boolean),
    seed: Number(values.seed),
    isShort: values.short,
    isReported: values.report,
  };
}
