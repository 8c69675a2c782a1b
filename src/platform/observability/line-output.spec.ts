import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineOutput } from './line-output.js';

const folder = mkdtempSync(join(tmpdir(), 'kalends-lines-'));
const lines = (count: number) => Array.from({ length: count }, (_, n) => `${n} ${'x'.repeat(n % 100)}ä\n`);

/** Opens a non-blocking pipe. */
function pipe(name: string): { reader: number; writer: number } {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) };
}

/** Whether the pipe did not take the last write, so that no thread is writing. */
function isWaitingForReader(output: LineOutput): boolean {
  return (output as unknown as { retryTimer?: NodeJS.Timeout }).retryTimer !== undefined;
}

describe('LineOutput', () => {
  it('writes all lines in order', async () => {
    const path = join(folder, 'file');
    const output = new LineOutput(openSync(path, 'w'));
    const [before, after] = [lines(5_000), lines(10)];
    before.forEach((line) => output.write(line));
    await output.written();
    expect(readFileSync(path, 'utf8')).toBe(before.join(''));
    after.forEach((line) => output.write(line));
    output.flushSync(1_000);
    expect(readFileSync(path, 'utf8')).toBe([...before, ...after].join(''));
  });

  it('flushSync writes as much as fits into an unread pipe, and gives up at its deadline', async () => {
    const { reader, writer } = pipe('slow');
    const output = new LineOutput(writer);
    const all = lines(20_000);
    all.forEach((line) => output.write(line));
    // Until the pipe is full. Before that a thread may be late with a write, and its lines would come after later ones.
    await vi.waitUntil(() => isWaitingForReader(output), { timeout: 60_000 });
    output.flushSync(100);
    const bytes = Buffer.alloc(1_000_000);
    const read = readSync(reader, bytes);
    expect(read).toBeGreaterThan(4_096);
    expect(all.join('').startsWith(bytes.toString('utf8', 0, read - 4))).toBe(true);
    closeSync(reader);
    // Drops the rest. Otherwise it would be written to the descriptor of the same number in the next test.
    await output.written();
    closeSync(writer);
  });

  it('flushSync does not write again what a thread is writing', async () => {
    const { reader, writer } = pipe('begun');
    const output = new LineOutput(writer);
    const all = lines(20);
    all.forEach((line) => output.write(line));
    output.flush();
    output.flushSync(1_000);
    await output.written();
    const bytes = Buffer.alloc(100_000);
    expect(bytes.toString('utf8', 0, readSync(reader, bytes))).toBe(all.join(''));
    [reader, writer].forEach(closeSync);
  });

  it('drops lines without waiting after the reader has closed the pipe', async () => {
    const { reader, writer } = pipe('gone');
    closeSync(reader);
    const output = new LineOutput(writer);
    output.write('one\n');
    output.flushSync(60_000);
    output.write('two\n');
    await output.written();
    closeSync(writer);
  });
});
