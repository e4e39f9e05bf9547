import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Store, StoredMessage } from '../store.ts';
import { lockFolder } from './folder-lock.ts';
import { endedLine, readLines } from './records.ts';
import { Segment } from './segment.ts';

export interface DiskStoreOptions {
  /** Made when it is missing; for this client alone. What is in it is personal data, and is readable by its owner only. */
  readonly folder: string;
  /** A file that is longer is followed by a new one. Default 4 MiB. */
  readonly segmentBytes?: number | undefined;
}

/** A file with messages, some of which may not have ended. */
interface Chapter {
  readonly remove: () => void;
  /** Messages taken in it that have not ended. */
  open: number;
}

/** A segment in which all has ended is emptied when it is at least this long, or as long as it may be. */
const WORTH_EMPTYING_BYTES = 65_536;

const SEGMENT_NAME = /^\d{9}\.jsonl$/;

/** Keeps messages in a folder, so that they outlive a crash of the process. For the option `store` of a client. */
export function diskStore({ folder, segmentBytes = 4 * 1024 * 1024 }: DiskStoreOptions): Store {
  // The program may go on in another folder than it began in.
  const path = resolve(folder);
  makeFolder(path);
  return new DiskStore(path, segmentBytes, lockFolder(path));
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * Append-only files of JSON lines. A file is removed when all that was taken in it has ended, and the same is true of
 * all files before it: their messages may have ended in lines of this one.
 */
class DiskStore implements Store {
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #worthEmptyingBytes: number;
  readonly #unlock: () => void;
  /** Oldest first; the last is the one that is written. */
  readonly #chapters: Chapter[] = [];
  /** The chapter of each message that has not ended. */
  readonly #chapterOf = new Map<string, Chapter>();
  #segment: Segment | undefined;
  #lastNumber = 0;

  constructor(folder: string, segmentBytes: number, unlock: () => void) {
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    this.#worthEmptyingBytes = Math.min(WORTH_EMPTYING_BYTES, segmentBytes);
    this.#unlock = unlock;
  }

  recover(): readonly StoredMessage[] {
    const messages = new Map<string, StoredMessage>();
    for (const name of readdirSync(this.#folder)
      .filter((file) => SEGMENT_NAME.test(file))
      .toSorted()) {
      const path = join(this.#folder, name);
      const chapter = this.#addChapter(() => rmSync(path, { force: true }));
      this.#lastNumber = Number.parseInt(name, 10);
      for (const line of readLines(readFileSync(path, 'utf8'))) {
        if (line.kind === 'taken') this.#open(line.message.messageId, chapter);
        if (line.kind === 'taken') messages.set(line.message.messageId, line.message);
        else for (const id of line.ids) if (this.#endOne(id)) messages.delete(id);
      }
    }
    this.#startSegment();
    this.#removeEnded();
    return [...messages.values()];
  }

  add({ messageId, json }: StoredMessage): void {
    this.#writable().append(json);
    const chapter = this.#chapters.at(-1);
    if (chapter !== undefined) this.#open(messageId, chapter);
  }

  end(messageIds: readonly string[]): void {
    const segment = this.#current();
    for (const id of messageIds) this.#endOne(id);
    // Before the line, as a full disk may have room for it only then; without it they are sent again after a crash.
    this.#removeEnded();
    if (this.#chapterOf.size === 0 && segment.bytes >= this.#worthEmptyingBytes) segment.empty();
    else this.#writable().append(endedLine(messageIds));
  }

  close(): void {
    const segment = this.#segment;
    this.#segment = undefined;
    try {
      segment?.close();
      // All has ended, so nothing is left to keep.
      if (this.#chapterOf.size === 0) segment?.remove();
    } finally {
      this.#unlock();
    }
  }

  /** The segment that is written. */
  #current(): Segment {
    if (this.#segment === undefined) throw new Error(`The store in ${this.#folder} is closed`);
    return this.#segment;
  }

  /** It has room for a line, and is where the next process looks for it. */
  #writable(): Segment {
    const segment = this.#current();
    return segment.bytes < this.#segmentBytes && segment.isThere ? segment : this.#startSegment();
  }

  /** The one before is closed once there is another: where none can be opened, it is still the one that is written. */
  #startSegment(): Segment {
    // Cleaners of temporary files remove folders, too.
    makeFolder(this.#folder);
    const segment = new Segment(join(this.#folder, `${String(this.#lastNumber + 1).padStart(9, '0')}.jsonl`));
    const before = this.#segment;
    this.#lastNumber += 1;
    this.#addChapter(() => segment.remove());
    this.#segment = segment;
    before?.close();
    return segment;
  }

  #addChapter(remove: () => void): Chapter {
    const chapter = { remove, open: 0 };
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

  #removeEnded(): void {
    while (this.#chapters.length > 1 && this.#chapters[0]?.open === 0) {
      // One that cannot be removed stays the first: what says that its messages have ended may be in the next.
      this.#chapters[0].remove();
      this.#chapters.shift();
    }
  }
}
