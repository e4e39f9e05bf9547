import { isObject } from '../../../model/json-values.ts';
import type { Adapter } from 'lowdb';
import type { Kind } from '../../../model/resources.ts';
import { ESSENTIAL, isStored, readStored, type StoredRow } from '../../../model/stored-rows.ts';
import { stepsFrom, unreadable } from '../formats.ts';
import type { Disk } from './disk.ts';
import { FORMAT, SHARD_MIGRATIONS, type ShardDocument } from './migrations.ts';
import { emptyState, type Entry, KINDS, type State, type Tables, toEntry } from '../../resources/tables.ts';

export interface ShardFileOptions {
  readonly disk: Disk;
  readonly file: string;
  /** What everything in the file stands below: a workspace's name, or empty for the root file. */
  readonly home: string;
  /** The drafts that stood beside the file when the store was opened. */
  readonly left: readonly string[];
}

/** Two, in turn: while one is being written, a power cut may leave the last change under the name of the other. */
const DRAFTS = ['.a', '.b'] as const;

export function draftsOf(file: string): string[] {
  return DRAFTS.map((ending) => file + ending);
}

interface Version {
  readonly state: State;
  /** Counts the tries to write: of a file and its drafts the highest holds, also after a try that failed. */
  readonly generation: number;
}

/** lowdb's adapter for one file: a header, then one row a line. */
export class ShardFile implements Adapter<State> {
  readonly #options: ShardFileOptions;
  #generation = 0;
  /** The draft that was newer than the file when it was read. */
  #newer: string | undefined;

  constructor(options: ShardFileOptions) {
    this.#options = options;
  }

  /** Throws, and touches nothing, when the file is damaged. A draft that is torn was promised to nobody. */
  async read(): Promise<State | null> {
    const { disk, file, left } = this.#options;
    const text = await disk.read(file);
    let newest = text === undefined ? undefined : decode(text, this.#options);
    for (const draft of left) {
      const drafted = await disk.read(draft);
      if (drafted === undefined || !isJson(drafted)) continue;
      const version = decode(drafted, { ...this.#options, file: draft });
      if (version.generation <= (newest?.generation ?? -1)) continue;
      newest = version;
      this.#newer = draft;
    }
    this.#generation = newest?.generation ?? 0;
    return newest?.state ?? null;
  }

  async write(state: State): Promise<void> {
    const { disk, file, home } = this.#options;
    this.#generation += 1;
    const draft = file + DRAFTS[this.#generation % 2 === 0 ? 0 : 1];
    await disk.replace(file, encode({ state, generation: this.#generation }, home), draft);
  }

  /** Clears what a crash left beside the file; to be called between reading and the first write. */
  async settle(): Promise<void> {
    const { disk, file, left } = this.#options;
    if (this.#newer !== undefined) await disk.rename(this.#newer, file);
    await disk.remove(left.filter((draft) => draft !== this.#newer));
  }
}

/** The format of a file, from its beginning alone. */
export function formatIn(beginning: string): number {
  const [, format] = /^\{"waybill":"config","format":(\d+),/.exec(beginning) ?? [];
  if (format === undefined) throw new Error('it was not written by Waybill, or is damaged; restore it from a copy');
  return Number(format);
}

/** The name that everything in a file stands below. */
export function homeIn(text: string, file: string): string {
  const { home } = parse(text, file);
  if (typeof home !== 'string') throw damaged(file, 'has a damaged header');
  return home;
}

function encode({ state: { sequence, removed, tables }, generation }: Version, home: string): string {
  const header = JSON.stringify({ waybill: 'config', format: FORMAT, home, generation, sequence, removed });
  const rows = KINDS.flatMap((kind) => {
    const entries: Iterable<Entry<unknown>> = tables[kind].all();
    return Array.from(entries, (row) => `{"kind":"${kind}","sequence":${row.sequence},"resource":${row.text}}`);
  });
  return `${header.slice(0, -1)},"rows":[\n${rows.join(',\n')}\n]}\n`;
}

function decode(text: string, { file, home }: ShardFileOptions): Version {
  const found = migrated(parse(text, file), file);
  if (found['home'] !== home) {
    throw damaged(file, `belongs to ${JSON.stringify(found['home'])}, and not to ${JSON.stringify(home)}`);
  }
  // Files of before there were generations have none.
  const { generation = 0, sequence, removed, rows } = found;
  if (!isCount(generation) || !isCount(sequence) || !isTexts(removed) || !Array.isArray(rows)) {
    throw damaged(file, 'has a damaged header');
  }
  const state: State = { ...emptyState(), sequence, removed };
  const ordered = rows.map((row: unknown, index) => readRow(row, index, state, file));
  for (const add of ordered.toSorted((a, b) => a.sequence - b.sequence)) add.to();
  return { state, generation };
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
  readonly sequence: number;
  readonly to: () => void;
}

function readRow(row: unknown, index: number, state: State, file: string): PendingRow {
  const place = `is damaged in row ${index + 1}`;
  if (!isObject(row) || !isKind(row['kind'])) throw damaged(file, `${place}: no known kind`);
  const { kind, sequence, resource } = row;
  if (!isCount(sequence) || sequence > state.sequence) throw damaged(file, `${place}: no sequence within the header's`);
  if (!isStored(kind, resource)) throw damaged(file, `${place}: no ${ESSENTIAL[kind].join(' or no ')}`);
  const to = (): void => {
    if (!addRow(state.tables, kind, sequence, resource)) {
      throw damaged(file, `${place}: ${resource.name} stands there twice`);
    }
  };
  return { sequence, to };
}

function addRow<K extends Kind>(tables: Tables, kind: K, sequence: number, row: StoredRow<K>): boolean {
  const table = tables[kind];
  if (table.get(row.name) !== undefined) return false;
  table.put(toEntry(sequence, readStored(kind, row)));
  return true;
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

function damaged(file: string, what: string, cause?: unknown): Error {
  const wayOut = 'Nothing was touched. Put a good copy in its place, or move it away to go on without what it holds';
  return new Error(`${file} ${what}. ${wayOut}.`, { cause });
}

function isKind(value: unknown): value is Kind {
  return KINDS.some((kind) => kind === value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
