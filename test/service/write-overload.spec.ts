import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { emptyFolder, startServer } from '../support/process.js';

const TOKEN = 'operators-token-of-at-least-32-characters';
/** More than a process takes at a time, which is 200. */
const WRITES = 2_000;

/** Uses the embedded database, whichever engine the suite runs on: its statements block the process. */
describe('more writes than the embedded database can do', () => {
  it('get 503 at once if they would wait too long, and each 201 is in the database', async () => {
    const folder = emptyFolder();
    const file = join(folder, 'kalends.sqlite');
    const settings = { DATABASE_URL: `sqlite:${file}`, KALENDS_ADMIN_TOKEN: TOKEN, DATABASE_WRITE_TIMEOUT: '1' };
    const server = await startServer(settings, folder);
    const answers: Promise<Answer>[] = [];
    try {
      // All requests are there before the process reads the first one, as from clients that send faster than it writes.
      server.kill('SIGSTOP');
      const sockets = await Promise.all(Array.from({ length: WRITES }, (_, n) => sent(server.port, `Write ${n}`)));
      answers.push(...sockets.map(answerOf));
    } finally {
      server.kill('SIGCONT');
    }
    const all = await Promise.all(answers);
    await server.stop();
    const titlesWith = (status: number) => all.filter((answer) => answer.status === status).map(({ title }) => title);
    expect(titlesWith(201).length + titlesWith(503).length).toBe(WRITES);
    expect(titlesWith(201).length).toBeGreaterThan(0);
    expect(titlesWith(503).length).toBeGreaterThan(0);
    const database = new BetterSqlite3(file, { readonly: true });
    const stored = database.prepare('SELECT title FROM events').pluck().all();
    database.close();
    expect(stored.sort()).toEqual(titlesWith(201).sort());
  });
});

interface Sent {
  readonly title: string;
  readonly socket: Socket;
}

interface Answer {
  readonly title: string;
  readonly status: number;
}

/** Sends the creation of an event on a connection of its own. */
async function sent(port: number, title: string): Promise<Sent> {
  const body = JSON.stringify({ title, start_date: '2027-03-10 10:00', end_date: '2027-03-10 12:00' });
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.write(
    `POST /calendar/events/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  return { title, socket };
}

async function answerOf({ title, socket }: Sent): Promise<Answer> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk as string;
  return { title, status: Number(text.split(' ')[1]) };
}
