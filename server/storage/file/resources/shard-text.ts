import { isObject } from '../../../model/json-values.ts';
import type { AuditEntry, Kind } from '../../../model/resources.ts';
import { ESSENTIAL, isStored, readStored, type StoredRow } from '../../../model/stored-rows.ts';
import type { Entry } from '../../config-store.ts';
import { type Named, toEntry } from '../../resources/stored-entry.ts';
import { emptyState, KINDS, type State, type Tables } from '../../resources/tables.ts';
import { type Keyring, SEALED } from '../../secrets/keyring.ts';
import { isCurrent, openedRow } from '../../secrets/sealed-rows.ts';
import { stepsFrom, unreadable } from '../formats.ts';
import type { AuditMark } from './audit-file.ts';
import { damaged } from './lost-files.ts';
import { FORMAT, SHARD_MIGRATIONS, type ShardDocument } from './migrations.ts';

export type TextOf = (kind: Kind, row: Entry<Named>) => string;

/** What stands in a file of the configuration. */
export interface ShardText {
  readonly home: string;
  readonly state: State;
  /** Counts the tries to write: of a file and its drafts the highest holds, also after a try that failed. */
  readonly generation: number;
  /** Of the entries that stand beside the file; undefined where none do. */
  readonly audit?: AuditMark | undefined;
  /** Of the root file: each of its workspaces has a file. Earlier versions made one with the first change below it. */
  readonly complete?: true | undefined;
  /** Those that stand in it. */
  readonly entries: readonly Entry<AuditEntry>[];
  readonly textOf: TextOf;
}

/** A header, then one row a line. Made as it is read: the state is published, and not changed meanwhile. */
export function* linesOf({ home, state, generation, audit, complete, entries, textOf }: ShardText): Generator<string> {
  const { sequence, removed, tables } = state;
  const own = { home, generation, sequence, removed, audit, complete };
  const header = JSON.stringify({ waybill: 'config', format: FORMAT, ...own });
  yield `${header.slice(0, -1)},"rows":[`;
  let separator = '\n';
  for (const kind of KINDS) {
    const rows: Iterable<Entry<Named>> = kind === 'audit-entries' ? entries : tables[kind].all();
    for (const row of rows) {
      yield `${separator}{"kind":"${kind}","sequence":${row.sequence},"resource":${textOf(kind, row)}}`;
      separator = ',\n';
    }
  }
  yield '\n]}\n';
}

/** Characters: what is made into bytes at once takes about a millisecond. */
const PART_LENGTH = 262_144;

/** The bytes of lines, in parts, so that whoever writes a large file makes nobody wait for the whole of it. */
export function* buffersOf(lines: Iterable<string>): Generator<Buffer> {
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < PART_LENGTH) continue;
    yield Buffer.from(part);
    part = '';
  }
  yield Buffer.from(part);
}

/** Rows as they stand in a file, so that a write encrypts what changed and not what is stored. */
export type StoredTexts = WeakMap<Entry<unknown>, string>;

/** The format of a file, from its beginning alone; also of one that somebody edited, and whose tools laid it out anew. */
export function formatIn(beginning: string): number {
  if (beginning.startsWith(SEALED))
    throw new Error('it is an encrypted copy of a migration: a start with its key opens it');
  const [, format] = /^\s*\{\s*"waybill"\s*:\s*"config"\s*,\s*"format"\s*:\s*(\d+)\s*,/.exec(beginning) ?? [];
  if (format === undefined) throw new Error('it was not written by Waybill, or is damaged; restore it from a copy');
  return Number(format);
}

/** The name that everything in a file stands below. */
export function homeIn(text: string, file: string): string {
  const { home } = parse(text, file);
  if (typeof home !== 'string') throw damaged(file, 'has a damaged header');
  return home;
}

/** What is read of one. */
export interface ReadShard extends Pick<ShardText, 'state' | 'generation' | 'audit' | 'complete'> {
  /** Rows that are stored otherwise than the keyring stores them now. */
  readonly outdated: number;
}

interface Reading extends Pick<ShardText, 'home'> {
  readonly file: string;
  readonly keyring: Keyring;
  readonly texts: StoredTexts;
}

/** Throws, and touches nothing, where it is damaged. */
export function decode(text: string, reading: Reading): ReadShard {
  const { file, home, keyring } = reading;
  const found = migrated(parse(text, file), file);
  if (found['home'] !== home) {
    throw damaged(file, `belongs to ${JSON.stringify(found['home'])}, and not to ${JSON.stringify(home)}`);
  }
  // Files of before there were generations have none.
  const { generation = 0, sequence, removed, rows, audit } = found;
  if (!isCount(generation) || !isCount(sequence) || !isTexts(removed) || !Array.isArray(rows) || !isMark(audit)) {
    throw damaged(file, 'has a damaged header');
  }
  const state: State = { ...emptyState(), sequence, removed };
  const ordered = rows.map((row: unknown, index) => readRow(row, index, state, reading));
  for (const add of ordered.toSorted((a, b) => a.sequence - b.sequence)) add.to();
  const outdated = ordered.filter(({ kind, stored }) => !isCurrent(keyring, kind, stored)).length;
  return { state, generation, outdated, audit, complete: found['complete'] === true ? true : undefined };
}

/** As today's format has it: a draft or a copy that was put back may be older. */
function migrated(found: ShardDocument, file: string): ShardDocument {
  if (found['waybill'] !== 'config') throw damaged(file, 'was not written by Waybill');
  const { format } = found;
  const steps = typeof format === 'number' ? stepsFrom(SHARD_MIGRATIONS, format, FORMAT) : undefined;
  if (steps === undefined) throw new Error(`${file} ${unreadable(format, FORMAT)}. Nothing was touched.`);
  return steps.reduce((document, { change }) => change(document), found);
}

interface PendingRow {
  readonly kind: Kind;
  readonly sequence: number;
  /** As it stands in the file. */
  readonly stored: unknown;
  readonly to: () => void;
}

function readRow(row: unknown, index: number, state: State, { file, keyring, texts }: Reading): PendingRow {
  const place = `is damaged in row ${index + 1}`;
  if (!isObject(row) || !isKind(row['kind'])) throw damaged(file, `${place}: no known kind`);
  const { kind, sequence, resource: stored } = row;
  const resource = openedRow(keyring, kind, stored);
  if (!isCount(sequence) || sequence > state.sequence) throw damaged(file, `${place}: no sequence within the header's`);
  if (!isStored(kind, resource)) throw damaged(file, `${place}: no ${ESSENTIAL[kind].join(' or no ')}`);
  const to = (): void => {
    const entry = inPlace(() => addRow(state.tables, kind, sequence, resource), `${place} (${resource.name})`, file);
    if (entry === undefined) throw damaged(file, `${place}: ${resource.name} stands there twice`);
    if (resource !== stored && isCurrent(keyring, kind, stored)) texts.set(entry, JSON.stringify(stored));
  };
  return { kind, sequence, stored, to };
}

/** Of a value of another type, which only people write, Node does not say where it stands. */
function inPlace<T>(read: () => T, place: string, file: string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw damaged(file, `${place}: a value of another type than it has to be (${error.message})`, error);
  }
}

/** Undefined where there is one of that name. */
function addRow<K extends Kind>(tables: Tables, kind: K, sequence: number, row: StoredRow<K>) {
  const table = tables[kind];
  if (table.get(row.name) !== undefined) return undefined;
  const entry = toEntry(sequence, readStored(kind, row));
  table.put(entry);
  return entry;
}

function parse(text: string, file: string): ShardDocument {
  try {
    const found: unknown = JSON.parse(text);
    if (isObject(found)) return found;
  } catch (error) {
    throw damaged(file, `is not whole JSON (${text.length} characters)`, error);
  }
  throw damaged(file, 'was not written by Waybill');
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isKind(value: unknown): value is Kind {
  return KINDS.some((kind) => kind === value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isMark(value: unknown): value is AuditMark | undefined {
  return (
    value === undefined || (isObject(value) && ['since', 'until', 'count'].every((field) => isCount(value[field])))
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
