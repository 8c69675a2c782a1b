import type { TestApp } from './app.js';
import { Pipeline } from '../../src/platform/http/pipeline/pipeline.js';

/** Counts the requests of a service that pass the stages of its pipeline. The others take the fast path. */
export function countStages({ app }: Pick<TestApp, 'app'>): { passed: number } {
  const pipeline = app.get(Pipeline);
  const run = pipeline.run.bind(pipeline);
  const count = { passed: 0 };
  pipeline.run = (request, response) => {
    count.passed += 1;
    return run(request, response);
  };
  return count;
}
