import { DatabaseServer } from './database-server.js';

/**
 * Runs a database server for tests: `npm run database -- mariadb`. Prints its URL. Ends with the process that started it.
 * The data is in TMPDIR and is deleted at the end. In a memory file system (`TMPDIR=/dev/shm`) a commit costs no disk
 * flush, although the server keeps the durability settings of production.
 */
const [engine] = process.argv.slice(2);
if (engine !== 'mariadb' && engine !== 'mysql') {
  process.stderr.write('Which server: mariadb or mysql?\n');
  process.exit(2);
}
const parent = process.ppid;
const server = await DatabaseServer.start(engine);
process.stdout.write(`${server.url('mysql')}\n`);
setInterval(() => {
  if (process.ppid !== parent || !server.isRunning) process.exit(1);
}, 500);
