import { currentDeadline } from '../../database/connection/deadline.js';
import { Semaphore } from '../../database/connection/semaphore.js';
import { Turns } from '../../database/connection/turns.js';
import { type Dictionary, findInChunk } from './dictionary.js';
import { WORD_END } from './words.js';

/** More scans at a time would only make all of them slower. */
const MAX_SCANS = 2;

const scans = new Semaphore(MAX_SCANS);

/**
 * Returns for each needle the words that contain it, or undefined if there are more than `max`. Throws after the deadline
 * of the request, or after its client has left.
 */
export function findWords(
  dictionary: Dictionary,
  needles: readonly string[],
  max: number,
): Promise<(readonly string[] | undefined)[]> {
  const deadline = currentDeadline();
  return deadline.run(() =>
    scans.run(deadline.remaining, async () => {
      const chunks = dictionary.chunks;
      const turns = new Turns();
      // A turn of its own, because many short scans may follow each other.
      await turns.end();
      const found: (readonly string[] | undefined)[] = [];
      for (const needle of needles) {
        const word = wholeWord(needle);
        if (word !== undefined) found.push(dictionary.has(word) ? [word] : []);
        else found.push(await scan(chunks, needle, max, turns));
      }
      return found;
    }),
  );
}

async function scan(
  chunks: readonly string[],
  needle: string,
  max: number,
  turns: Turns,
): Promise<string[] | undefined> {
  const words: string[] = [];
  for (const chunk of chunks) {
    await turns.next();
    findInChunk(chunk, needle, max, words);
    if (words.length > max) return undefined;
  }
  return words;
}

/** Returns the word if the needle is a whole one, which needs no scan. */
function wholeWord(needle: string): string | undefined {
  const isWhole = needle.startsWith(WORD_END) && needle.endsWith(WORD_END);
  return isWhole ? needle.slice(WORD_END.length, -WORD_END.length) : undefined;
}
