import { useState } from 'react';
import { Empty } from './empty.tsx';
import type { IconName } from './icons.tsx';
import { Search } from './search.tsx';
import { type Column, Table } from './table.tsx';

/** As many are found at a glance. */
const FEW = 5;

interface SearchedTableProps<Row> {
  readonly label: string;
  readonly icon: IconName;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** A table of resources, which are looked for by name or id where they are more than a few. */
export function SearchedTable<Row extends { readonly name: string; readonly display_name: string }>({
  label,
  icon,
  columns,
  rows,
}: SearchedTableProps<Row>) {
  const [search, setSearch] = useState('');
  const found = rows.filter((row) => isNamed(row, search));
  return (
    <>
      {rows.length > FEW && <Search label={`Search ${label.toLowerCase()}`} onChange={setSearch} />}
      <Table label={label} columns={columns} rows={found} keyOf={({ name }) => name} />
      {found.length === 0 && (
        <Empty icon={icon} title="Nothing matches">
          Search by name or id.
        </Empty>
      )}
    </>
  );
}

export function isNamed(
  { name, display_name: title }: { readonly name: string; readonly display_name: string },
  text: string,
): boolean {
  return `${name} ${title}`.toLowerCase().includes(text);
}
