import { PacedWork } from '../../../fairness/paced-work.ts';
import { isObject } from '../../../model/json-values.ts';
import type { Adapter } from 'lowdb';
import type { AuditEntry, Kind } from '../../../model/resources.ts';
import { ESSENTIAL, isStored, readStored, type StoredRow } from '../../../model/stored-rows.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { isCurrent, openedRow, sealedText } from '../../secrets/sealed-rows.ts';
import { stepsFrom, unreadable } from '../formats.ts';
import { auditDraftOf, AuditFile, auditFileOf, type AuditMark } from './audit-file.ts';
import type { Disk } from './disk.ts';
import { damaged } from './lost-files.ts';
import { FORMAT, SHARD_MIGRATIONS, type ShardDocument } from './migrations.ts';
import type { Entry } from '../../config-store.ts';
import { buffersOf, linesOf, type TextOf } from './shard-text.ts';
import { emptyState, KINDS, type State, type Tables, toEntry } from '../../resources/tables.ts';

export interface ShardFileOptions {
  readonly disk: Disk;
  readonly file: string;
  /** What everything in the file stands below: a workspace's name, or empty for the root file. */
  readonly home: string;
  /** The drafts that stood beside the file when the store was opened. */
  readonly left: readonly string[];
  readonly keyring: Keyring;
  /** What a write takes of the event loop is noted there. */
  readonly pace?: PacedWork;
}

/** Two, in turn: while one is being written, a power cut may leave the last change under the name of the other. */
const DRAFTS = ['.a', '.b'] as const;

export function draftsOf(file: string): string[] {
  return DRAFTS.map((ending) => file + ending);
}

/** What may stand beside a file, besides its drafts. */
export function besideOf(file: string): string[] {
  return [auditFileOf(file), auditDraftOf(file)];
}

interface Version {
  readonly state: State;
  /** Counts the tries to write: of a file and its drafts the highest holds, also after a try that failed. */
  readonly generation: number;
  /** Of the entries that stand beside the file; undefined where none do. */
  readonly audit?: AuditMark | undefined;
  /** Of the root file: each of its workspaces has a file. */
  readonly complete?: true | undefined;
}

/** Rows as they stand in a file, so that a write encrypts what changed and not what is stored. */
type StoredTexts = WeakMap<Entry<unknown>, string>;

/** lowdb's adapter for one file: a header, then one row a line. Older entries of the audit stand beside it. */
export class ShardFile implements Adapter<State> {
  readonly #options: ShardFileOptions;
  readonly #audit: AuditFile;
  /** As the file has them, itself or beside it. */
  #storedEntries: AuditEntries = [];
  /** Entries that the file counts on, and whose own file is gone. */
  #lostEntries = 0;
  #generation = 0;
  #complete: true | undefined;
  /** The draft that was newer than the file when it was read. */
  #newer: string | undefined;
  readonly #texts: StoredTexts = new WeakMap();
  /** Rows that the last read or write left otherwise than the keyring stores them now. */
  #outdated = 0;

  constructor(options: ShardFileOptions) {
    this.#options = options;
    this.#audit = new AuditFile(options.disk, options.file);
  }

  /** Throws, and touches nothing, when the file is damaged. A draft that is torn was promised to nobody. */
  async read(): Promise<State | null> {
    const { disk, file, left } = this.#options;
    const text = await disk.read(file);
    let newest = text === undefined ? undefined : this.#decode(text, file);
    for (const draft of left) {
      const drafted = await disk.read(draft);
      if (drafted === undefined || !isJson(drafted)) continue;
      const version = this.#decode(drafted, draft);
      if (version.generation <= (newest?.generation ?? -1)) continue;
      newest = version;
      this.#newer = draft;
    }
    if (newest === undefined) return null;
    const { state, generation, outdated, audit, complete } = newest;
    this.#generation = generation;
    this.#complete = complete;
    this.#outdated = outdated;
    if (audit !== undefined) await this.#readEntries(audit, state);
    this.#storedEntries = this.#entriesOf(state);
    return state;
  }

  /** Entries of the audit that are gone with their file. */
  get lostEntries(): number {
    return this.#lostEntries;
  }

  get outdated(): number {
    return this.#outdated;
  }

  get isComplete(): boolean {
    return this.#complete === true;
  }

  /** Each workspace has a file by now; for the next write. */
  complete(): void {
    this.#complete = true;
  }

  async write(state: State): Promise<void> {
    const { disk, file, pace = new PacedWork() } = this.#options;
    await this.#audit.takeOver(this.#storedEntries);
    this.#generation += 1;
    const draft = file + DRAFTS[this.#generation % 2 === 0 ? 0 : 1];
    const entries = this.#entriesOf(state);
    const { mark, own } = this.#audit.split(entries);
    await disk.replace(file, pace.parts(buffersOf(this.#lines(state, own, mark))), draft);
    this.#storedEntries = entries;
    this.#outdated = 0;
  }

  /** What a file holds that was written last with this state, and has nothing beside it. */
  contentOf(state: State): string {
    return [...this.#lines(state, this.#entriesOf(state))].join('');
  }

  /** Clears what a crash left beside the file; to be called between reading and the first write. */
  async settle(): Promise<void> {
    const { disk, file, left } = this.#options;
    if (this.#newer !== undefined) await disk.rename(this.#newer, file);
    await disk.remove(left.filter((draft) => draft !== this.#newer));
  }

  #decode(text: string, file: string): ReadVersion {
    return decode(text, { ...this.#options, file, texts: this.#texts });
  }

  #lines(state: State, entries: AuditEntries, audit?: AuditMark): Iterable<string> {
    const { home } = this.#options;
    const own = { home, generation: this.#generation, audit, complete: this.#complete };
    return linesOf({ ...own, state, entries, textOf: this.#textOf });
  }

  #entriesOf({ tables }: State): AuditEntries {
    return tables['audit-entries'].children(this.#options.home);
  }

  async #readEntries(mark: AuditMark, { tables }: State): Promise<void> {
    const rows = await this.#audit.read(mark);
    for (const { sequence, resource } of rows ?? [])
      tables['audit-entries'].put(toEntry(sequence, readStored('audit-entries', resource)));
    if (rows === undefined) this.#lostEntries = mark.count;
  }

  readonly #textOf: TextOf = (kind, row) => {
    const known = this.#texts.get(row);
    if (known !== undefined) return known;
    const { keyring } = this.#options;
    const text = keyring.current === undefined ? row.text : sealedText(keyring, kind, row.resource);
    if (text !== row.text) this.#texts.set(row, text);
    return text;
  };
}

type AuditEntries = readonly Entry<AuditEntry>[];

/** The format of a file, from its beginning alone; also of one that somebody edited, and whose tools laid it out anew. */
export function formatIn(beginning: string): number {
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

interface ReadVersion extends Version {
  readonly outdated: number;
}

interface Reading extends Pick<ShardFileOptions, 'file' | 'home' | 'keyring'> {
  readonly texts: StoredTexts;
}

function decode(text: string, reading: Reading): ReadVersion {
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

function isJson(text: string): boolean {
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
