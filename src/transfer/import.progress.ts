import { statSync } from 'node:fs';
import { SingleBar } from 'cli-progress';

/** Shows how far an import is: a bar on a terminal, a line every few seconds elsewhere. */
export interface Progress {
  update(bytesRead: number, lines: number): void;
  /** Writes lines of text beside it. */
  say(lines: readonly string[]): void;
  stop(): void;
}

const SILENCE_MS = 5_000;

export function progressOf(path: string, stream: NodeJS.WriteStream): Progress {
  const size = path === '-' ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return stream.isTTY ? bar(size, stream) : plainLines(size, stream);
}

function bar(size: number, stream: NodeJS.WriteStream): Progress {
  const line = new SingleBar({ format: '{bar} {percentage} % | {lines} lines | {duration_formatted}', stream });
  line.start(size, 0, { lines: 0 });
  return {
    update: (bytes, lines) => line.update(bytes, { lines }),
    // The bar is written over, and drawn again below.
    say: (texts) => stream.write(texts.map((text) => `\r\u001b[K${text}\n`).join('')),
    stop: () => line.stop(),
  };
}

function plainLines(size: number, stream: NodeJS.WriteStream): Progress {
  let last = Date.now();
  return {
    update(bytes, lines) {
      if (Date.now() - last < SILENCE_MS) return;
      last = Date.now();
      const share = size > 0 ? ` (${Math.floor((100 * bytes) / size)} %)` : '';
      stream.write(`${lines} lines${share}\n`);
    },
    say: (texts) => stream.write(texts.map((text) => `${text}\n`).join('')),
    stop: () => undefined,
  };
}
