import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batchesOf, mustLookLikeJson } from './read-lines.js';

const MIB = 1024 * 1024;

async function read(text: string | Buffer, maxBytes: number) {
  const file = join(mkdtempSync(join(tmpdir(), 'kalends-lines-')), 'lines');
  writeFileSync(file, text);
  const batches = [];
  for await (const batch of batchesOf(file, maxBytes)) batches.push(batch);
  return batches;
}

describe('batchesOf', () => {
  it('numbers all lines and skips blank ones', async () => {
    const [{ lines = [], bytesRead = 0 } = {}, ...others] = await read('a\n\n \r\nbé\n', 100);
    expect(lines.map(({ number, bytes }) => [number, bytes.toString()])).toEqual([
      [1, 'a'],
      [4, 'bé'],
    ]);
    expect([others, bytesRead]).toEqual([[], 10]);
    expect(await read('', 100)).toEqual([]);
  });

  it('truncates a line that is too long to one byte more than the limit', async () => {
    const [{ lines = [] } = {}] = await read(`a\n${'x'.repeat(3 * MIB)}\n${'y'.repeat(100)}\nb`, 100);
    expect(lines.map(({ number, bytes }) => [number, bytes.length])).toEqual([
      [1, 1],
      [2, 101],
      [3, 100],
      [4, 1],
    ]);
  });

  it('makes batches of 200 lines, or of fewer long ones', async () => {
    const short = await read('a\n'.repeat(450), 100);
    expect(short.map(({ lines }) => lines.length)).toEqual([200, 200, 50]);
    expect(short.map(({ lines }) => lines[0]?.number)).toEqual([1, 201, 401]);
    const long = await read(`${'x'.repeat(MIB)}\n`.repeat(20), MIB);
    expect(long.map(({ lines }) => lines.length)).toEqual([8, 8, 4]);
  });

  it('names a file that cannot be read', async () => {
    const file = join(tmpdir(), 'kalends-nothing');
    await expect(batchesOf(file, 1).next()).rejects.toThrow(`${file} cannot be read: ENOENT`);
  });
});

describe('mustLookLikeJson', () => {
  const check = async (content: string | Buffer) => {
    const [{ lines = [] } = {}] = await read(content, 1000);
    mustLookLikeJson('FILE', lines);
  };

  it.each([
    [
      'CSV',
      'title,start_date\nJazz,2027-01-01\n',
      'FILE is not JSON: it begins with "title,start_date". Expected JSON lines',
    ],
    ['iCalendar', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', 'FILE is not JSON: it begins with "BEGIN:VCALENDAR".'],
    [
      'UTF-16',
      Buffer.from('\ufeff{"title":"Fête"}\n', 'utf16le'),
      'FILE is in UTF-16. Convert it to UTF-8: iconv -f UTF-16',
    ],
  ])('rejects a file of %s as a whole', async (_, content, message) => {
    await expect(check(content)).rejects.toThrow(message);
  });

  it.each(['', '\ufeff{"title":1}', ' \n\n  {\n "title": 1\n}', '[1, 2]', '[', 'broken\n{"title":1}'])(
    'leaves the rest to the checks of each line: %j',
    async (content) => {
      await expect(check(content)).resolves.toBeUndefined();
    },
  );
});
