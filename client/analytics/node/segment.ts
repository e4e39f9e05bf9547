import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';

/**
 * A file to which lines are appended. A line is in the hands of the operating system when `append` returns, so it
 * survives the end of the process, however that comes; it is on the disk soon after, so that little is lost even with
 * the machine.
 */
export class Segment {
  readonly #path: string;
  readonly #file: number;
  #bytes = 0;
  /** Lines were written since the last sync began. */
  #isDirty = false;
  #isSyncing = false;
  #isClosed = false;

  /** The file must not exist yet. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'ax', 0o600);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws when the line cannot be written; then nothing of it is. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`, 'utf8');
    try {
      for (let from = 0; from < bytes.length;) from += writeSync(this.#file, bytes, from);
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
    this.#bytes += bytes.length;
    this.#isDirty = true;
    this.#sync();
  }

  /** Everything in it has ended. */
  empty(): void {
    ftruncateSync(this.#file, 0);
    this.#bytes = 0;
  }

  close(): void {
    this.#isClosed = true;
    fdatasyncSync(this.#file);
    // A sync that is under way closes the file when it is done.
    if (!this.#isSyncing) closeSync(this.#file);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  /** One sync at a time, in the background. */
  #sync(): void {
    if (this.#isSyncing || !this.#isDirty || this.#isClosed) return;
    this.#isSyncing = true;
    this.#isDirty = false;
    fdatasync(this.#file, () => {
      this.#isSyncing = false;
      if (this.#isClosed) closeSync(this.#file);
      else this.#sync();
    });
  }
}
