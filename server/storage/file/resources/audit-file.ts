import { isObject } from '../../../model/json-values.ts';
import type { AuditEntry } from '../../../model/resources.ts';
import { isStored, type StoredRow } from '../../../model/stored-rows.ts';
import { MAX_ENTRIES } from '../../resources/audit.ts';
import type { Entry } from '../../config-store.ts';
import type { Disk } from './disk.ts';

/** What the file of the configuration says of the entries that stand in this one: those from `since` to `until`, and how many. */
export interface AuditMark {
  readonly since: number;
  readonly until: number;
  readonly count: number;
}

interface AuditRow {
  readonly sequence: number;
  readonly resource: StoredRow<'audit-entries'>;
}

type Entries = readonly Entry<AuditEntry>[];

/** So many of the newest entries are written with each change: those of others are moved here, many with one sync. */
const NEWEST = 32;
/** Lines of entries that are no longer kept are left out by writing the file anew, which must not happen often. */
const MAX_LINES = 2 * MAX_ENTRIES;

export function auditFileOf(file: string): string {
  return file.replace(/\.json$/, '.audit.jsonl');
}

/** Before it has its name. */
export function auditDraftOf(file: string): string {
  return `${auditFileOf(file)}.new`;
}

/**
 * Older entries of the audit of a file of the configuration, a line each, so that a change does not write all of them again.
 * An entry is stored in the file of the configuration, with its change. It is copied here once that has happened, and left out there
 * once this file is synced: so each entry holds exactly when its change does, wherever a kill comes in between. What stands
 * here and is not in the mark was copied by a process that was killed, and still stands there.
 */
export class AuditFile {
  readonly #disk: Disk;
  readonly #file: string;
  readonly #draft: string;
  /** Entries up to here are in the file. */
  #until = 0;
  #lines = 0;
  /** Whether a line may be appended: the file ends with the last line that counts, and has its name for good. */
  #isSound = false;

  constructor(disk: Disk, configFile: string) {
    this.#disk = disk;
    this.#file = auditFileOf(configFile);
    this.#draft = auditDraftOf(configFile);
  }

  /** The entries that a mark tells of; undefined where somebody has taken the file away. */
  async read({ since, until, count }: AuditMark): Promise<readonly AuditRow[] | undefined> {
    const text = await this.#disk.read(this.#file);
    if (text === undefined) return undefined;
    const lines = text.split('\n');
    const unfinished = lines.pop();
    const rows = lines.flatMap((line) => readLine(line) ?? []);
    const counted = rows.filter(({ sequence }) => sequence >= since && sequence <= until);
    if (new Set(counted.map(({ sequence }) => sequence)).size !== count) throw this.#damaged(count, counted.length);
    this.#until = until;
    this.#lines = lines.length;
    this.#isSound =
      unfinished === '' && rows.length === lines.length && rows.every(({ sequence }) => sequence <= until);
    return counted;
  }

  /** What a file of the configuration with these entries has to say of this one, and which of them it has to hold itself. */
  split(entries: Entries): { readonly mark: AuditMark | undefined; readonly own: Entries } {
    const first = entries.findIndex(({ sequence }) => sequence > this.#until);
    const count = first < 0 ? entries.length : first;
    const [since] = entries;
    const mark = count === 0 || since === undefined ? undefined : { since: since.sequence, until: this.#until, count };
    return { mark, own: entries.slice(count) };
  }

  /** Takes over entries that are stored in the file of the configuration, once they are many. All that are kept are given, in their order. */
  async takeOver(stored: Entries): Promise<void> {
    const fresh = stored.filter(({ sequence }) => sequence > this.#until);
    const last = fresh.at(-1);
    if (last === undefined || fresh.length < NEWEST) return;
    const isAppended = this.#isSound && this.#lines + fresh.length <= MAX_LINES;
    this.#isSound = false;
    const written = isAppended ? fresh : stored;
    await (isAppended ? this.#disk.append(this.#file, textOf(fresh)) : this.#writeAnew(stored));
    this.#isSound = true;
    this.#lines = written.length + (isAppended ? this.#lines : 0);
    this.#until = last.sequence;
  }

  async #writeAnew(entries: Entries): Promise<void> {
    await this.#disk.replace(this.#file, textOf(entries), this.#draft);
    // Syncs the folder besides: the name has to last before the file of the configuration counts on it.
    await this.#disk.remove([this.#draft]);
  }

  #damaged(count: number, found: number): Error {
    const wayOut = 'Nothing was touched. Put a good copy in its place, or move it away to go on without what it holds';
    return new Error(`${this.#file} is damaged: of ${count} entries of the audit it has ${found}. ${wayOut}.`);
  }
}

function textOf(entries: Entries): string {
  return entries.map(({ sequence, text }) => `{"sequence":${sequence},"resource":${text}}\n`).join('');
}

/** Undefined for what is no whole line. */
function readLine(line: string): AuditRow | undefined {
  try {
    const row: unknown = JSON.parse(line);
    if (!isObject(row) || !Number.isSafeInteger(row['sequence'])) return undefined;
    const { resource } = row;
    return isStored('audit-entries', resource) ? { sequence: Number(row['sequence']), resource } : undefined;
  } catch {
    return undefined;
  }
}
