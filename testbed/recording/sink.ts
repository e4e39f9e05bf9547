import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { fileFault } from './file-fault.ts';

/** A file could not be written; the message names it and the reason. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';

  constructor(file: string, cause: unknown) {
    super(fileFault('write', file, cause), { cause });
  }
}

type OnFailure = (error: RecordingError) => void;

/**
 * A file that is written piece by piece, in order. Nobody but its owner may read it: header values are in it. After
 * the first failure nothing more is written.
 */
export class Sink implements AsyncDisposable {
  /** How many bytes it held when it was opened. */
  readonly size: number;
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #onFailure: OnFailure;
  /** Settles when every earlier piece is on disk. */
  #earlier: Promise<void> = Promise.resolve();
  /** Set once, by the first piece that could not be written. */
  #failure: RecordingError | undefined;
  /** Set once, by the first `close`. */
  #closing: Promise<void> | undefined;

  private constructor(file: string, handle: FileHandle, size: number, onFailure: OnFailure) {
    this.size = size;
    this.#file = file;
    this.#handle = handle;
    this.#onFailure = onFailure;
  }

  /** Rejects with a RecordingError. `mode`: `a` adds to the file, `w` begins it anew. */
  static async open(file: string, mode: 'a' | 'w', onFailure: OnFailure = () => undefined): Promise<Sink> {
    try {
      const handle = await open(file, mode, 0o600);
      return new Sink(file, handle, (await handle.stat()).size, onFailure);
    } catch (error) {
      throw new RecordingError(file, error);
    }
  }

  get failure(): RecordingError | undefined {
    return this.#failure;
  }

  /** Resolves when it is written, or cannot be; `at` is a place in the file, the end of what is there without it. */
  async write(text: string, at?: number): Promise<void> {
    this.#earlier = this.#earlier.then(async () => {
      if (this.#failure !== undefined) return;
      try {
        await writeAll(this.#handle, Buffer.from(text), at);
      } catch (error) {
        this.#failure = new RecordingError(this.#file, error);
        this.#onFailure(this.#failure);
      }
    });
    return this.#earlier;
  }

  /** Resolves when all that was written is in the file; can be called again. */
  async close(): Promise<void> {
    this.#closing ??= this.#earlier.then(async () => this.#handle.close());
    await this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number | undefined): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at === undefined ? null : at + done);
    done += bytesWritten;
  }
}
