import { PacedWork } from '../../../fairness/paced-work.ts';
import type { Adapter } from 'lowdb';
import type { AuditEntry } from '../../../model/resources.ts';
import { readStored } from '../../../model/stored-rows.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { sealedText } from '../../secrets/sealed-rows.ts';
import { auditDraftOf, AuditFile, auditFileOf, type AuditMark } from './audit-file.ts';
import type { Disk } from './disk.ts';
import type { Entry } from '../../config-store.ts';
import { buffersOf, decode, isJson, linesOf, type ReadShard, type StoredTexts, type TextOf } from './shard-text.ts';
import { toEntry } from '../../resources/stored-entry.ts';
import type { State } from '../../resources/tables.ts';

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

  #decode(text: string, file: string): ReadShard {
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
