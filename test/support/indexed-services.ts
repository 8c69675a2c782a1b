import { IndexCheck } from '../../src/events/index/index-check.js';
import { startBeside } from './app.js';
import { useApp } from './events.js';

type Beside = Awaited<ReturnType<typeof startBeside>>;

/** Starts three processes on one database: two with an index of events of their own, and one without. */
export function useIndexedServices() {
  const app = useApp({ INDEX: 'on' });
  let other: Beside;
  let without: Beside;
  beforeAll(async () => {
    other = await startBeside(app(), { INDEX: 'on', CACHE_ENTRIES: '0' });
    without = await startBeside(app(), { INDEX: 'off', CACHE_ENTRIES: '0' });
  });
  afterAll(async () => {
    await other.close();
    await without.close();
  });
  return {
    app,
    other: () => other,
    without: () => without,
    /** Compares both indexes with the database. */
    expectNoDifferences: async (): Promise<void> => {
      for (const service of [app(), other]) expect(await service.app.get(IndexCheck).differences()).toEqual([]);
    },
  };
}
