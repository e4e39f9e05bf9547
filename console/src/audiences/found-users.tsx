import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Taken } from '../session/take.ts';
import { Button } from '../ui/button.tsx';
import { useKept } from '../ui/kept.ts';
import { Loaded } from '../ui/loaded.tsx';
import { type Column, Table } from '../ui/table.tsx';

const FIRST = 10;
const MORE = 90;

/** How many users are shown, and how to show more. */
export function usePageSize() {
  const [count, setCount] = useKept('users', () => FIRST);
  return { count, more: () => setCount(count + MORE) };
}

interface FoundUsersProps<Row> {
  readonly label: string;
  readonly query: UseQueryResult<Taken<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly onMore: () => void;
  /** What is said where there are none. */
  readonly children: ReactNode;
}

/** Whom the last sync found, a page that grows. */
export function FoundUsers<Row extends { readonly user_id: string }>(props: FoundUsersProps<Row>) {
  const { label, query, columns, onMore, children } = props;
  return (
    <Loaded query={query}>
      {({ items, hasMore }) => (
        <>
          {items.length === 0 ? (
            children
          ) : (
            <Table label={label} columns={columns} rows={items} keyOf={({ user_id: user }) => user} />
          )}
          {hasMore && (
            <div className="more">
              <Button onClick={onMore}>Show more</Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
