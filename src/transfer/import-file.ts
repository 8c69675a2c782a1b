import { createReadStream } from 'node:fs';
import type { Line } from './importer.js';

const LINES_A_BATCH = 200;
const NEWLINE = 0x0a;

/** The lines of a file (`-`: standard input) in batches; blank ones are left out. Bytes, since they may not be UTF-8. */
export async function* batchesOf(path: string): AsyncGenerator<{ lines: Line[]; bytesRead: number }> {
  const stream: AsyncIterable<Buffer> = path === '-' ? process.stdin : createReadStream(path);
  let rest: Buffer[] = [];
  let lines: Line[] = [];
  let number = 0;
  let bytesRead = 0;
  const take = (bytes: Buffer) => {
    number += 1;
    if (bytes.toString('latin1').trim() !== '') lines.push({ number, bytes });
  };
  for await (const chunk of stream) {
    bytesRead += chunk.length;
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      take(Buffer.concat([...rest, chunk.subarray(from, to)]));
      rest = [];
      from = to + 1;
      if (lines.length < LINES_A_BATCH) continue;
      yield { lines, bytesRead };
      lines = [];
    }
    rest.push(chunk.subarray(from));
  }
  take(Buffer.concat(rest));
  if (lines.length > 0) yield { lines, bytesRead };
}
