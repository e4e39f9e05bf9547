import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Snapshot, type SnapshotFile, SnapshotUnderWay } from '../snapshot.ts';
import { freeBytes } from './full-disk.ts';
import { CONFIG_FOLDER, DELIVERIES_FILE, PROFILES_FILE } from './private-files.ts';
import type { LowConfigStore } from './resources/low-config-store.ts';

/** A file of SQLite that can be left as it is while its store goes on. */
export interface Freezable {
  /**
   * Brings all that was asked before into the file, and leaves it alone from then on: what follows is in the log beside it, and
   * what writes into the file itself waits. Answers the bytes of the file; undefined where there is none.
   */
  freeze(): Promise<number | undefined>;
  thaw(): Promise<void>;
}

export interface SnapshotParts {
  readonly folder: string;
  readonly resources: Pick<LowConfigStore, 'capture'>;
  readonly profiles: Freezable;
  readonly deliveries: Freezable;
}

const LEFT_FREE = 0.75;
const CHUNK_BYTES = 256 * 1024;
/** How often it is asked whether there is room for what is stored meanwhile: whoever reads may stand still. */
const LOOK_MS = 250;

/**
 * Snapshots of a data folder without a copy of it: while one is read, the files of SQLite stay as they are, and what is
 * stored meanwhile goes to their logs alone.
 */
export class Snapshots {
  readonly #parts: SnapshotParts;
  /**
   * Closed after the stores: the system drops the lock that SQLite has on a file as soon as this process closes any handle of
   * it, and another router could start on the folder.
   */
  readonly #handles = new Map<string, Promise<FileHandle>>();
  #current: Snapshot | undefined;
  #isTaken = false;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  async take(): Promise<Snapshot> {
    if (this.#isTaken) throw new SnapshotUnderWay('a backup is being made: try again when it has ended');
    this.#isTaken = true;
    await using frozen = new AsyncDisposableStack();
    frozen.defer(() => void (this.#isTaken = false));
    const { folder, resources, profiles, deliveries } = this.#parts;
    frozen.defer(() => profiles.thaw());
    const profileBytes = await profiles.freeze();
    // What profiles did since is told to the delivery store after this, and so is not in its file: nothing may be awaited here.
    const config = resources.capture();
    const freezing = deliveries.freeze();
    frozen.defer(() => deliveries.thaw());
    const deliveryBytes = await freezing;
    const life = new AbortController();
    const held = new AsyncDisposableStack();
    const end = async (reason: unknown): Promise<void> => {
      life.abort(reason);
      await held.disposeAsync();
    };
    held.use(await watchRoom(folder, (error) => void end(error)));
    const { signal } = life;
    const files = [
      ...config.map((file) => ({ ...file, name: `${CONFIG_FOLDER}/${file.name}` })),
      ...this.#file(DELIVERIES_FILE, deliveryBytes, signal),
      ...this.#file(PROFILES_FILE, profileBytes, signal),
    ];
    held.use(frozen.move());
    const release = (): Promise<void> => end(new Error('the snapshot was released'));
    return (this.#current = { files, signal, release });
  }

  /** Ends a snapshot that is being read; to be called before the stores are closed. */
  async end(): Promise<void> {
    await this.#current?.release();
  }

  /** To be called once the stores are closed. */
  async close(): Promise<void> {
    for (const handle of this.#handles.values()) await (await handle).close();
  }

  #file(name: string, bytes: number | undefined, signal: AbortSignal): SnapshotFile[] {
    return bytes === undefined ? [] : [{ name, open: () => ({ bytes, chunks: this.#read(name, bytes, signal) }) }];
  }

  async *#read(name: string, bytes: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { folder } = this.#parts;
    const handle = await this.#handle(join(folder, name));
    for (let at = 0; at < bytes; at += CHUNK_BYTES) {
      const length = Math.min(CHUNK_BYTES, bytes - at);
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
      // Read before the files change again, or not at all.
      signal.throwIfAborted();
      if (bytesRead !== length) throw new Error(`${name} ended after ${at + bytesRead} of ${bytes} bytes`);
      yield buffer;
    }
  }

  #handle(path: string): Promise<FileHandle> {
    const known = this.#handles.get(path) ?? open(path);
    this.#handles.set(path, known);
    return known;
  }
}

/**
 * The logs grow for as long as a snapshot is read, and are taken over into the files then, which grow as much. Together they must
 * not take the room that events need: without it, what stands in the logs could not be taken over either.
 */
async function watchRoom(folder: string, giveUp: (error: Error) => void): Promise<Disposable> {
  const least = LEFT_FREE * (await freeBytes(folder));
  const look = async (): Promise<void> => {
    // A disk that does not tell is taken for full.
    if ((await freeBytes(folder).catch(() => 0)) >= least) return;
    giveUp(
      new Error(
        'a quarter of the room on the disk was used up while the backup was read: read it faster, or free some',
      ),
    );
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
