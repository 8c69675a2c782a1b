// The thread of scan-thread.ts. Plain JavaScript, because tests run the sources, and a thread loads no TypeScript.
import { parentPort, workerData } from 'node:worker_threads';

const { default: Driver } = await import(workerData.driver);
const connection = new Driver(workerData.path, { readonly: true, timeout: 5_000 });
const prepared = new Map();
const MAX_PREPARED_STATEMENTS = 100;

function statementOf(sql) {
  const statement = prepared.get(sql) ?? connection.prepare(sql);
  prepared.set(sql, statement);
  if (prepared.size > MAX_PREPARED_STATEMENTS) prepared.delete(prepared.keys().next().value);
  return statement;
}

parentPort.on('message', (message) => {
  if (message === 'end') return parentPort.close();
  const { sql, params } = message;
  try {
    parentPort.postMessage({ rows: statementOf(sql).all(...params) });
  } catch ({ message, code }) {
    parentPort.postMessage({ error: { message, code } });
  }
});
