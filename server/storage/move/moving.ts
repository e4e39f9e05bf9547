import type { Commit } from '../config-store.ts';
import type { Column, MovedTable } from './moved-table.ts';

export type Value = string | number | Uint8Array | null;
export type MovedRow = Readonly<Record<string, Value>>;
/** Behind which row of a table a move goes on: the values of its key. */
export type RowKey = readonly Value[];
/** By table; nothing was moved yet of one that is not named. */
export type Progress = Readonly<Record<string, RowKey>>;
export type Counts = Readonly<Record<string, number>>;

/** All resources as they stand, and the last number that one of them was given. */
export interface MovedResources {
  readonly commits: readonly Commit[];
  readonly sequence: number;
}

/** A storage that nobody uses, and that is only read. */
export interface MoveSource {
  readonly shown: string;
  /** What this storage is, how often routers have used it, and what they did: another one when anything could have changed. */
  readonly identity: string;
  read(table: MovedTable, after: RowKey | undefined, limit: number): Promise<readonly MovedRow[]>;
  resources(): Promise<MovedResources>;
  counts(): Promise<Counts>;
}

/** A storage that nobody can use before the move into it is finished. */
export interface MoveTarget {
  readonly shown: string;
  /** How far a move of this source is that was begun here. Rejects where there is anything else. */
  begin(source: MoveSource): Promise<Progress>;
  /** Stores the rows, and how far the table is then, or nothing. */
  write(table: MovedTable, rows: readonly MovedRow[], progress: Progress): Promise<void>;
  counts(): Promise<Counts>;
  /** Stores the resources as well; from then on routers can use it. */
  finish(resources: MovedResources): Promise<void>;
}

/** How a storage is opened for one move, and closed after it. */
export type Using<Side> = <T>(work: (side: Side) => Promise<T>) => Promise<T>;

export function keyOfRow({ key }: MovedTable, row: MovedRow): RowKey {
  return key.map((column) => row[column] ?? null);
}

/** The row with its times of these kinds as much later. */
export function withLaterTimes({ columns }: MovedTable, row: MovedRow, ms: number, kinds: readonly Column[]): MovedRow {
  if (ms === 0) return row;
  const times = Object.entries(columns).filter(([, column]) => kinds.includes(column));
  return { ...row, ...Object.fromEntries(times.map(([name]) => [name, Number(row[name]) + ms])) };
}

/** A page of rows behind a place; its parameters are the values of the place and the limit. */
export function pageQuery(table: MovedTable, from: string, parameter: (index: number) => string): string {
  const key = table.key.join(', ');
  const place = table.key.map((_, index) => parameter(index + 1)).join(', ');
  const columns = Object.keys(table.columns).join(', ');
  return `SELECT ${columns} FROM (${from}) moved WHERE (${key}) > (${place})
    ORDER BY ${key} LIMIT ${parameter(table.key.length + 1)}`;
}

/** Less than all that the columns of keys may have; anonymous ids have negative numbers. */
const LEAST = -(2 ** 31);

/** Before the first row. */
export function beginning({ key, columns }: MovedTable): RowKey {
  return key.map((column) => (columns[column] === 'text' ? '' : LEAST));
}

export function totalOf({ commits }: MovedResources): number {
  return commits.reduce((sum, { changes }) => sum + changes.length, 0);
}
