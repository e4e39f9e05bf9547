import { isUnsafeInLine, safeText } from '../server/safe-text.ts';

/** Rows in columns as wide as their widest cell; the last may be of any width. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head.map((title) => title.toUpperCase().replaceAll('_', ' ')), ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A value in one cell. What would end the line, or move the cursor, is shown as JSON shows it. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return isUnsafeInLine(text) ? safeText(JSON.stringify(text)) : text;
}
