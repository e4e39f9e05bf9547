import { close, closeSync, existsSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/**
 * A file to which lines are appended. A line is in the hands of the operating system when `append` returns, so it
 * survives the end of the process, however that comes; it is on the disk soon after, so that little is lost even with
 * the machine.
 */
export class Segment {
  readonly #path: string;
  readonly #file: number;
  #bytes = 0;
  /** The file ends in a part of a line. */
  #isTorn = false;
  /** Lines were written since the last sync began. */
  #isDirty = false;
  #isSyncing = false;
  /** The last sync failed: what the system said that it took may be nowhere. */
  #hasFailed = false;
  #isClosed = false;

  /** The file must not exist yet. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'ax', 0o600);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the file can be found again: who removed its folder took what is in it along. */
  get isThere(): boolean {
    return existsSync(this.#path);
  }

  /** Throws when the line cannot be written; then nothing of it is read. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`, 'utf8');
    // What a failed write left of its line would spoil this one.
    if (this.#isTorn) ftruncateSync(this.#file, this.#bytes);
    this.#isTorn = true;
    for (let from = 0; from < bytes.length;) from += writeSync(this.#file, bytes, from);
    // Some disks that are full or broken, as on a network, say so to a sync alone.
    if (this.#hasFailed) fdatasyncSync(this.#file);
    this.#hasFailed = false;
    this.#isTorn = false;
    this.#bytes += bytes.length;
    this.#isDirty = true;
    this.#sync();
  }

  /** Everything in it has ended. */
  empty(): void {
    ftruncateSync(this.#file, 0);
    this.#bytes = 0;
    this.#isTorn = false;
  }

  close(): void {
    this.#isClosed = true;
    try {
      fdatasyncSync(this.#file);
    } finally {
      // A sync that is under way closes the file when it is done.
      if (!this.#isSyncing) closeSync(this.#file);
    }
  }

  /** Returns once all that was written is on the disk. */
  sync(): void {
    fdatasyncSync(this.#file);
  }

  /** One sync at a time, in the background. */
  #sync(): void {
    if (this.#isSyncing || !this.#isDirty || this.#isClosed) return;
    this.#isSyncing = true;
    this.#isDirty = false;
    fdatasync(this.#file, (error) => {
      this.#isSyncing = false;
      if (error) this.#hasFailed = true;
      // Here nobody would catch what a close throws, and there is nothing to do about it.
      if (this.#isClosed) close(this.#file, () => {});
      else this.#sync();
    });
  }
}
