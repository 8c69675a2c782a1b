import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Sends each part unchanged as one packet, with `pause` milliseconds between them. Returns what the server sends until
 * it closes the connection, or until `silence` milliseconds pass without data.
 */
export function overSocket(
  port: number,
  parts: readonly (string | Buffer)[],
  silence = 3000,
  pause = 0,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const write = async () => {
      for (const part of parts) {
        if (socket.writable) socket.write(part);
        if (pause > 0) await sleep(pause);
      }
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => void write());
    const finish = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString());
    };
    socket.setTimeout(silence, finish);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', finish);
    socket.on('error', reject);
  });
}

/** One of several responses on a connection. */
export interface SocketAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into bodies of every shape
}

/** Sends bytes unchanged and parses the responses. Each must have a Content-Length and a JSON body. */
export async function answersOf(
  port: number,
  parts: readonly (string | Buffer)[],
  pause = 0,
  silence = 5000,
): Promise<SocketAnswer[]> {
  let rest = Buffer.from(await overSocket(port, parts, silence, pause));
  const answers: SocketAnswer[] = [];
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.subarray(0, end).toString().split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line): [string, string] => {
        const at = line.indexOf(':');
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
      }),
    );
    const length = Number(headers['content-length']);
    const text = rest.subarray(end + 4, end + 4 + length).toString();
    answers.push({ status: Number(first.split(' ')[1]), headers, body: JSON.parse(text) });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}
