/** Returns the known name that a misspelt one probably means: the nearest one within `maxEdits`. Ignores case. */
export function nearestName(name: string, known: Iterable<string>, maxEdits: number): string | undefined {
  let nearest: string | undefined;
  let fewest = maxEdits + 1;
  for (const candidate of known) {
    // Saves time: each missing character is an edit.
    if (Math.abs(candidate.length - name.length) >= fewest) continue;
    const edits = editsBetween(name.toLowerCase(), candidate.toLowerCase(), fewest);
    if (edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/**
 * Returns how many edits make one text of the other: a character inserted, left out or replaced, or two neighbours swapped
 * (the optimal string alignment distance). Saves time where they are `enough` or more: then returns `enough`.
 */
export function editsBetween(a: string, b: string, enough = Infinity): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    // Later rows have at least the edits of the lesser of two rows, because a swap skips one.
    if (Math.min(...(last ?? []), ...current) >= enough) return enough;
    [beforeLast, last] = [last, current];
  }
  return Math.min(at(last, b.length), enough);
}

function at(row: readonly number[] | undefined, column: number): number {
  return row?.[column] ?? Infinity;
}
