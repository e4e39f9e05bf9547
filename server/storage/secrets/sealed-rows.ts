import { isObject } from '../../model/json-values.ts';
import type { Kind, Resources } from '../../model/resources.ts';
import { type Keyring, keyIdOf } from './keyring.ts';

/**
 * What is encrypted of a stored row: all that a read-only token may not see (D-15), and what stands around it. In clear none of
 * these fields is a text, and sealed each is one: so a row tells by itself which of both it is.
 */
export const SEALED_FIELDS: { readonly [K in Kind]?: readonly (keyof Resources[K])[] } = {
  sources: ['write_keys'],
  destinations: ['config', 'rotation'],
};

/** The JSON of a resource as it is stored. Fields keep their places, from which entity tags are made. */
export function sealedText(keyring: Keyring, kind: string, row: unknown): string {
  if (keyring.current === undefined) return JSON.stringify(row);
  const seal = (value: unknown, field: string): unknown =>
    value === undefined ? value : keyring.seal(JSON.stringify(value), placeOf(row, field));
  return JSON.stringify(withFields(kind, row, seal));
}

/** A stored row in clear; the very same where nothing of it is sealed. Throws StorageUnusable for what cannot be opened. */
export function openedRow(keyring: Keyring, kind: string, row: unknown): unknown {
  if (!isObject(row) || !sealedFields(kind).some((field) => typeof row[field] === 'string')) return row;
  return withFields(kind, row, (value, field) =>
    typeof value === 'string' ? JSON.parse(keyring.open(value, placeOf(row, field))) : value,
  );
}

/** With which keys a stored row is sealed: the id of each, and undefined for what is in clear. None where it holds no secret. */
export function keysOfRow(kind: string, row: unknown): readonly (string | undefined)[] {
  if (!isObject(row)) return [];
  const values = sealedFields(kind).flatMap((field) => (Object.hasOwn(row, field) ? [row[field]] : []));
  return values.map((value) => (typeof value === 'string' ? keyIdOf(value) : undefined));
}

/** Whether a stored row is as the keyring would store it now. */
export function isCurrent(keyring: Keyring, kind: string, row: unknown): boolean {
  return keysOfRow(kind, row).every((id) => id === keyring.current);
}

function sealedFields(kind: string): readonly string[] {
  return Object.entries(SEALED_FIELDS).find(([one]) => one === kind)?.[1] ?? [];
}

function withFields(kind: string, row: unknown, change: (value: unknown, field: string) => unknown): unknown {
  const fields = sealedFields(kind);
  if (!isObject(row) || fields.length === 0) return row;
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field, fields.includes(field) ? change(value, field) : value]),
  );
}

function placeOf(row: unknown, field: string): string {
  const name = isObject(row) ? String(row['name']) : '';
  return `${field} of ${name}`;
}

/** How many stored rows hold secrets that are encrypted with a key; undefined stands for those in clear. */
export type KeyCounts = ReadonlyMap<string | undefined, number>;

/** A row counts once for each key that it needs. */
export function countKeys(rows: Iterable<readonly (string | undefined)[]>): KeyCounts {
  const counts = new Map<string | undefined, number>();
  for (const row of rows) for (const id of new Set(row)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
