import { connect } from 'node:net';

/** Sends bytes as they are and hands back all that comes until the server closes, or until `silence` milliseconds. */
export function overSocket(port: number, parts: readonly (string | Buffer)[], silence = 3000): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => parts.forEach((part) => socket.write(part)));
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
