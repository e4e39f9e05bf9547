import { inLine } from '../server/safe-text.ts';

type Cells = readonly string[];

/** Rows in columns as wide as their widest cell; the last may be of any width. */
export function table(head: Cells, rows: readonly Cells[]): string {
  return tableInParts(head)(rows);
}

/** The same of rows that come in parts: the head stands above the first, and no later one has narrower columns. */
export function tableInParts(head: Cells): (rows: readonly Cells[]) => string {
  let before = [head.map((title) => title.toUpperCase().replaceAll('_', ' '))];
  let widths = head.map(() => 0);
  return (rows) => {
    const part = [...before, ...rows];
    before = [];
    widths = widths.map((width, column) => part.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), width));
    return inColumns(part, widths);
  };
}

function inColumns(rows: readonly Cells[], widths: readonly number[]): string {
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return inLine(typeof value === 'string' ? value : JSON.stringify(value));
}
