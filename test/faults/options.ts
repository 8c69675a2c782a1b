import { parseArgs } from 'node:util';

export interface Options {
  /** Names of scenarios. Empty means all. */
  readonly scenarios: readonly string[];
  readonly seed: number;
  readonly isShort: boolean;
  /** True writes the figures to docs/reliability.md. */
  readonly isReported: boolean;
}

export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string', default: '' },
      seed: { type: 'string', default: '20261122' },
      short: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
    },
  });
  return {
    scenarios: values.scenario.split(',').filter(Boolean),
    seed: Number(values.seed),
    isShort: values.short,
    isReported: values.report,
  };
}
