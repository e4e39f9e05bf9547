import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { countText } from './numbers.ts';

export interface Column<Row> {
  readonly title: string;
  readonly end?: boolean;
  /** Set so that digits stand below each other, at the end of the column. */
  readonly isNumber?: boolean;
  /** Left out on narrow screens. */
  readonly isMinor?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  readonly label: string;
  /** Columns that stay where they are, whichever rows are shown; on narrow screens two lines for each. */
  readonly isSteady?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** More at once make each key that is typed on the page wait. */
const ROWS_AT_ONCE = 200;

/** On narrow screens each row is a card, with the titles beside the values. */
export function Table<Row>({ label, isSteady = false, columns, rows, keyOf }: TableProps<Row>) {
  const [count, setCount] = useState(ROWS_AT_ONCE);
  return (
    <>
      <table className={isSteady ? 'table steady' : 'table'} aria-label={label}>
        <TableHead columns={columns} />
        <tbody>
          <TableRows columns={columns} rows={rows.slice(0, count)} keyOf={keyOf} />
        </tbody>
      </table>
      {rows.length > count && (
        <div className="more">
          <Button size="small" look="quiet" onClick={() => setCount(count + ROWS_AT_ONCE)}>
            {countText(count)} of {countText(rows.length)} are shown: show more
          </Button>
        </div>
      )}
    </>
  );
}

export function TableHead<Row>({ columns }: Pick<TableProps<Row>, 'columns'>) {
  return (
    <thead>
      <tr>
        {columns.map(({ title, ...looks }) => (
          <th key={title} scope="col" className={classOf(looks)}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface TableRowsProps<Row> extends Omit<TableProps<Row>, 'label' | 'isSteady'> {
  /** Where the first of these rows stands in a table that does not show all. */
  readonly first?: number;
}

export function TableRows<Row>({ columns, rows, keyOf, first }: TableRowsProps<Row>) {
  return rows.map((row, place) => (
    <tr key={keyOf(row)} aria-rowindex={first === undefined ? undefined : first + place}>
      {columns.map(({ title, cell, ...looks }, index) => (
        <td key={title} className={classOf(looks)} data-label={index === 0 ? undefined : title}>
          {cell(row)}
        </td>
      ))}
    </tr>
  ));
}

type Looks = Pick<Column<unknown>, 'end' | 'isNumber' | 'isMinor'>;

function classOf({ end = false, isNumber = false, isMinor = false }: Looks): string {
  return `${end || isNumber ? 'end' : ''} ${isNumber ? 'number' : ''} ${isMinor ? 'minor' : ''}`.trim();
}
