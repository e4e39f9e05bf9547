import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Place } from '../destinations/queries.ts';
import { messageOf } from '../ui/errors.ts';
import { useKept } from '../ui/kept.ts';
import { Notice } from '../ui/notice.tsx';
import { useSeenBlocks } from '../ui/seen-blocks.ts';
import { TableHead, TableRows } from '../ui/table.tsx';
import { COLUMNS } from './delivery-table.tsx';
import { afterReading, type Block, blocksOf, FIRST_PAGE, type KnownPage, sizeOfPage } from './known-pages.ts';
import { type PageAsked, useDeliveryPage } from './queries.ts';

/** Until they were seen. */
const ROW_PX = 46;

interface LongListProps {
  readonly place: Place;
  readonly filter: PageAsked['filter'];
}

/** As many as there are: pages are read as they come near, and only what is near has elements. */
export function LongList({ place, filter }: LongListProps) {
  const list = JSON.stringify([place, filter]);
  const [pages, setPages] = useKept(`pages ${list}`, () => FIRST_PAGE);
  const [heights] = useKept(`heights ${list}`, () => new Map<number, number>());
  const table = useRef<HTMLTableElement>(null);
  const blocks = blocksOf(pages);
  const guesses = blocks.map(({ count }) => (count ?? 1) * ROW_PX);
  const { seen, heightOf, measured } = useSeenBlocks(table, guesses, heights);
  const isWhole = pages.every(({ count }) => count !== undefined);
  const known = pages.reduce((sum, { count = 0 }) => sum + count, 0);
  return (
    <table ref={table} className="table steady" aria-label="Deliveries" aria-rowcount={isWhole ? known + 1 : -1}>
      <TableHead columns={COLUMNS} />
      <Space px={heightOf(0, seen.from)} />
      {blocks.slice(seen.from, seen.to).map((block, index) => (
        <BlockRows
          key={`${block.page} ${block.from}`}
          block={block}
          asked={{ filter, token: pages[block.page]?.token ?? '', size: sizeOfPage(block.page) }}
          place={place}
          px={heightOf(seen.from + index, seen.from + index + 1)}
          onHeight={(height) => measured(seen.from + index, height)}
          setPages={setPages}
        />
      ))}
      <Space px={heightOf(seen.to, blocks.length)} />
    </table>
  );
}

interface BlockRowsProps {
  readonly block: Block;
  readonly asked: PageAsked;
  readonly place: Place;
  /** How high it is, as far as is known. */
  readonly px: number;
  readonly onHeight: (px: number) => void;
  readonly setPages: (change: (pages: readonly KnownPage[]) => readonly KnownPage[]) => void;
}

function BlockRows({ block: { page, from, first, count }, asked, place, px, onHeight, setPages }: BlockRowsProps) {
  const { data, error } = useDeliveryPage(place, asked);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (data !== undefined) setPages((pages) => afterReading(pages, page, data));
  }, [data, page, setPages]);
  useLayoutEffect(() => {
    if (body.current !== null) onHeight(body.current.getBoundingClientRect().height);
  });
  if (data === undefined && error !== null) return <Failed text={messageOf(error)} />;
  if (data === undefined || count === undefined) return <Space px={px} />;
  return (
    <tbody ref={body}>
      <TableRows
        columns={COLUMNS}
        rows={data.deliveries.slice(from, from + count)}
        keyOf={({ name }) => name}
        first={first + 2}
      />
    </tbody>
  );
}

function Failed({ text }: { readonly text: string }) {
  return (
    <tbody>
      <tr>
        <td colSpan={COLUMNS.length}>
          <Notice tone="warn">Not read: {text}</Notice>
        </td>
      </tr>
    </tbody>
  );
}

/** Where rows stand that have no elements. */
function Space({ px }: { readonly px: number }) {
  if (px === 0) return null;
  return (
    <tbody className="space" aria-hidden="true">
      <tr style={{ height: px }} />
    </tbody>
  );
}
