import { measureAfterCommit } from './after-commit.js';
import { type DataSet, markdown, workloadsOf } from './data-sets.js';
import { openDriver } from './database.js';
import { ADMIN_TOKEN, type Contender } from './processes.js';

const LISTS = ['list10', 'branch', 'featured', 'both', 'venue', 'far'];
const GOALS = { p50: 15, p99: 60 };
/** An administrator's statuses are an editor's. */
const EDITOR = { authorization: `Bearer ${ADMIN_TOKEN}` };
const EDITORS_LIST = {
  name: 'editor',
  about: "an editor's list",
  paths: ['/events?status=publish,future,draft,pending,private'],
};

/** Returns a Markdown table of lists by date, each request the first after a commit of another process. */
export async function listsAfterCommit(set: DataSet, service: Contender): Promise<string> {
  const driver = openDriver(set.url);
  const lines = [];
  for (const workload of [...(await workloadsOf(set, LISTS)), EDITORS_LIST]) {
    const headers = workload === EDITORS_LIST ? EDITOR : {};
    const { times } = await measureAfterCommit(workload, [service], driver, headers);
    const { p50, p99, unavailable } = times.get(service.name)!;
    lines.push([workload.about, p50.toFixed(1), p99.toFixed(1), unavailable]);
  }
  await driver.close();
  const [p50, p99] = [`p50, ms (goal ${GOALS.p50})`, `p99, ms (goal ${GOALS.p99})`];
  return markdown(['Right after a commit', p50, p99, '503s'], lines);
}
