import type { Driver } from './database.js';
import { nowUtc } from './now-utc.js';

/** The ids of the events that commits say to have changed, spread over the data set. */
export async function lastEventId(driver: Driver): Promise<number> {
  const [row] = await driver.rows<{ last: number }>('SELECT max(id) AS last FROM events');
  return Number(row?.last);
}

/** Changes one event without a difference, as an editor does who saves a form again. `n` numbers the commits. */
export async function commit(driver: Driver, n: number, last: number): Promise<void> {
  await driver.transaction(async (tx) => {
    const seq = await tx.increment('data_version', 'version');
    const record_id = 1 + ((n * 7_919) % last);
    await tx.insert('changes', [{ seq, kind: 'event.updated', record_id, user_id: 1, made_utc: nowUtc() }]);
  });
}
