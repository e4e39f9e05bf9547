import type { Colors } from '../command-line/colors.ts';
import { fitted } from '../command-line/text-width.ts';
import type { Picture } from './picture.ts';
import { figuresOf, totalsOf } from './totals.ts';

const NAME = 18;
const COLUMN = 38;

/** The figures of several policies side by side, a column for each; what differs stands out. */
export function terminalComparison(pictures: readonly Picture[], colors: Colors): readonly string[] {
  const columns = pictures.map((picture) => figuresOf(totalsOf(picture)));
  const head = pictures.map(({ label }) => fitted(label, COLUMN)).join('');
  const rows = (columns[0] ?? []).map(([name, first], index) => {
    const values = columns.map((column) => column[index]?.[1] ?? '');
    const isSame = values.every((value) => value === first);
    const cells = values
      .map((value) => fitted(value, COLUMN))
      .join('')
      .trimEnd();
    return `${fitted(name, NAME)}${isSame ? colors.dim(cells) : colors.bold(cells)}`;
  });
  return [`${' '.repeat(NAME)}${colors.bold(head.trimEnd())}`, ...rows];
}
