import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Store, StoredMessage } from '../store.ts';
import { lockFolder } from './folder-lock.ts';
import { endedLine, readLines, checkedLine } from './records.ts';
import { Segment } from './segment.ts';

export interface DiskStoreOptions {
  /** Made when it is missing; for this client alone. What is in it is personal data, and is readable by its owner only. */
  readonly folder: string;
  /** A file that is longer is followed by a new one. Default 4 MiB. */
  readonly segmentBytes?: number | undefined;
}

/** A file with messages, some of which may not have ended. */
interface Chapter {
  readonly path: string;
  /** Messages taken in it that have not ended. */
  open: number;
}

/** A segment in which all has ended is emptied when it is at least this long, or as long as it may be. */
const WORTH_EMPTYING_BYTES = 65_536;

/** So many files in which all has ended, and that one before them keeps, are worth writing anew what is open in that one. */
const WORTH_CARRYING = 8;

const SEGMENT_NAME = /^\d{9}\.jsonl$/;

/** Keeps messages in a folder, so that they outlive a crash of the process. For the option `store` of a client. */
export function diskStore({ folder, segmentBytes = 4 * 1024 * 1024 }: DiskStoreOptions): Store {
  // As of a variable that is not set: it would be the folder that the program runs in.
  if (folder === '') throw new TypeError('folder must be the path of a folder, got an empty text');
  if (!(segmentBytes > 0)) throw new TypeError(`segmentBytes must be a number above 0, got: ${segmentBytes}`);
  // The program may go on in another folder than it began in.
  const path = resolve(folder);
  return new DiskStore(path, segmentBytes, takeFolder(path));
}

/** Returns what gives it back. */
function takeFolder(path: string): () => void {
  makeFolder(path);
  return lockFolder(path);
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Bad sectors are told of without a path. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${path} cannot be read: ${reason}; move it away to start without what it holds`, { cause });
  }
}

/**
 * Append-only files of JSON lines. A file is removed when all that was taken in it has ended, and the same is true of
 * all files before it: their messages may have ended in lines of this one. Messages that wait while many later ones end, as of a
 * request that is never answered beside others that are, are written anew, so that they do not keep all files.
 *
 * The folder is taken from the start to `close`, and again with the next `recover`: a closed store may get another client.
 */
class DiskStore implements Store {
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #worthEmptyingBytes: number;
  /** Gives the folder back; undefined once closed. */
  #leaveFolder: (() => void) | undefined;
  /** From `recover` to `close`. */
  #hasClient = false;
  /** Oldest first; the last is the one that is written, if there is one. */
  #chapters: Chapter[] = [];
  /** The chapter of each message that has not ended. */
  readonly #chapterOf = new Map<string, Chapter>();
  /** Begun with the first line, so that a client also starts where none can be written, and starts alone leave no files. */
  #segment: Segment | undefined;
  #lastNumber = 0;
  /** The last end could not be kept. */
  #isFailingEnds = false;

  constructor(folder: string, segmentBytes: number, leaveFolder: () => void) {
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    this.#worthEmptyingBytes = Math.min(WORTH_EMPTYING_BYTES, segmentBytes);
    this.#leaveFolder = leaveFolder;
  }

  recover(...[, log]: Parameters<Store['recover']>): readonly StoredMessage[] {
    if (this.#hasClient) throw new Error(`The store in ${this.#folder} belongs to another client: give each its own`);
    this.#leaveFolder ??= takeFolder(this.#folder);
    this.#forget();
    const messages = new Map<string, StoredMessage>();
    for (const name of readdirSync(this.#folder)
      .filter((file) => SEGMENT_NAME.test(file))
      .toSorted()) {
      const path = join(this.#folder, name);
      const { lines, damaged } = readLines(contentOf(path));
      // Not before it was read: one without messages is removed.
      const chapter = this.#addChapter(path);
      this.#lastNumber = Number.parseInt(name, 10);
      if (damaged > 0) log?.warn(`${damaged} lines of ${path} are damaged: what they held is lost`);
      for (const line of lines) {
        if (line.kind === 'taken') this.#open(line.message.messageId, chapter);
        if (line.kind === 'taken') messages.set(line.message.messageId, line.message);
        else for (const id of line.ids) if (this.#endOne(id)) messages.delete(id);
      }
    }
    this.#hasClient = true;
    try {
      this.#removeEnded();
    } catch {
      // What cannot be removed now is no reason not to start.
    }
    return [...messages.values()];
  }

  add({ messageId, json }: StoredMessage): void {
    this.#writable().append(checkedLine(json));
    const chapter = this.#chapters.at(-1);
    if (chapter !== undefined) this.#open(messageId, chapter);
  }

  end(messageIds: readonly string[]): void {
    this.#requireClient();
    for (const id of messageIds) this.#endOne(id);
    try {
      this.#keepEnd(messageIds);
      this.#isFailingEnds = false;
    } catch (error) {
      // A disk that is full is so at each batch, and is told of once.
      if (this.#isFailingEnds) return;
      this.#isFailingEnds = true;
      throw error;
    }
  }

  close(): void {
    const segment = this.#segment;
    this.#segment = undefined;
    try {
      segment?.close();
      this.#removeEnded();
    } finally {
      this.#hasClient = false;
      this.#leaveFolder?.();
      this.#leaveFolder = undefined;
    }
  }

  #forget(): void {
    this.#chapters = [];
    this.#chapterOf.clear();
    this.#lastNumber = 0;
  }

  #requireClient(): void {
    if (!this.#hasClient) throw new Error(`The store in ${this.#folder} is closed`);
  }

  #keepEnd(messageIds: readonly string[]): void {
    try {
      // Before the line, as a full disk may have room for it only then; without it they are sent again after a crash.
      this.#removeEnded();
    } finally {
      this.#writeEnd(messageIds);
    }
    this.#carryOldest();
  }

  #writeEnd(messageIds: readonly string[]): void {
    const segment = this.#segment;
    // Another file may hold messages of which this one says that they have ended.
    const isAllEnded = this.#chapterOf.size === 0 && this.#chapters.length === this.#writtenCount;
    if (!isAllEnded) this.#writable().append(endedLine(messageIds));
    else if (segment && segment.bytes >= this.#worthEmptyingBytes) segment.empty();
    else segment?.append(endedLine(messageIds));
  }

  /** The segment that is written, with room for a line, and where the next process looks for it. */
  #writable(): Segment {
    this.#requireClient();
    const segment = this.#segment;
    return segment && segment.bytes < this.#segmentBytes && segment.isThere ? segment : this.#startSegment();
  }

  /** The one before is closed once there is another: where none can be opened, it is still the one that is written. */
  #startSegment(): Segment {
    // Cleaners of temporary files remove folders, too.
    makeFolder(this.#folder);
    const path = join(this.#folder, `${String(this.#lastNumber + 1).padStart(9, '0')}.jsonl`);
    const segment = new Segment(path);
    const before = this.#segment;
    this.#lastNumber += 1;
    this.#addChapter(path);
    this.#segment = segment;
    before?.close();
    return segment;
  }

  #addChapter(path: string): Chapter {
    const chapter = { path, open: 0 };
    this.#chapters.push(chapter);
    return chapter;
  }

  /** Of two messages with one id the server keeps one, so the second takes the place of the first. */
  #open(messageId: string, chapter: Chapter): void {
    this.#endOne(messageId);
    this.#chapterOf.set(messageId, chapter);
    chapter.open += 1;
  }

  #endOne(messageId: string): boolean {
    const chapter = this.#chapterOf.get(messageId);
    if (chapter === undefined) return false;
    chapter.open -= 1;
    return this.#chapterOf.delete(messageId);
  }

  /** Of the chapters, those that are written: the last, or none. */
  get #writtenCount(): number {
    return this.#segment ? 1 : 0;
  }

  #removeEnded(): void {
    while (this.#chapters.length > this.#writtenCount && this.#chapters[0]?.open === 0) {
      // One that cannot be removed stays the first: what says that its messages have ended may be in the next.
      rmSync(this.#chapters[0].path, { force: true });
      this.#chapters.shift();
    }
  }

  #carryOldest(): void {
    const [oldest, ...later] = this.#chapters;
    if (oldest === undefined || later.filter(({ open }) => open === 0).length < WORTH_CARRYING) return;
    const carried = new Map<string, Chapter | undefined>();
    for (const line of existsSync(oldest.path) ? readLines(contentOf(oldest.path)).lines : []) {
      if (line.kind === 'ended' || this.#chapterOf.get(line.message.messageId) !== oldest) continue;
      this.#writable().append(checkedLine(line.message.json));
      carried.set(line.message.messageId, this.#chapters.at(-1));
    }
    // On the disk before the file that has them now is removed.
    this.#segment?.sync();
    for (const [id, chapter] of carried) if (chapter !== undefined) this.#open(id, chapter);
    // What is in the file no more, as of a disk that damaged it, is kept by nothing.
    for (const [id, chapter] of this.#chapterOf) if (chapter === oldest) this.#endOne(id);
    this.#removeEnded();
  }
}
