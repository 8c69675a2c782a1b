/** Rows below their headings, in columns as wide as they need. An empty cell is a dash. */
export function textTable(headings: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const lines = [
    headings,
    ...rows.map((row) => row.map((cell) => (cell === null || cell === '' ? '-' : String(cell)))),
  ];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
