/** Formats rows below their headings, in aligned columns. An empty cell is a dash. */
export function textTable(headings: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const lines = [
    headings,
    ...rows.map((row) => row.map((cell) => (cell === null || cell === '' ? '-' : String(cell)))),
  ];
  return alignedColumns(lines);
}

/** Returns rows of texts as lines with aligned columns. */
export function alignedColumns(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
