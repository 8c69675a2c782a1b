/** Returns a number with its noun, for messages: "1 line", "2 lines", "0 categories". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
