import { type FileHandle, open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Snapshot, type SnapshotFile, SnapshotUnderWay } from '../snapshot.ts';
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

/** Of one snapshot. */
interface Life {
  /** Free bytes on the disk as it began. */
  readonly room: number;
  isOver: boolean;
}

const LEFT_FREE = 0.75;
const CHUNK_BYTES = 256 * 1024;
/** How often it is asked whether there is room for what is stored meanwhile. */
const LOOK_BYTES = 16 * 1024 * 1024;

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
    const life: Life = { room: await freeBytes(folder), isOver: false };
    const files = [
      ...config.map((file) => ({ ...file, name: `${CONFIG_FOLDER}/${file.name}` })),
      ...this.#file(DELIVERIES_FILE, deliveryBytes, life),
      ...this.#file(PROFILES_FILE, profileBytes, life),
    ];
    const held = frozen.move();
    const release = async (): Promise<void> => {
      life.isOver = true;
      await held.disposeAsync();
    };
    return (this.#current = { files, release });
  }

  /** Ends a snapshot that is being read; to be called before the stores are closed. */
  async end(): Promise<void> {
    await this.#current?.release();
  }

  /** To be called once the stores are closed. */
  async close(): Promise<void> {
    for (const handle of this.#handles.values()) await (await handle).close();
  }

  #file(name: string, bytes: number | undefined, life: Life): SnapshotFile[] {
    return bytes === undefined ? [] : [{ name, open: () => ({ bytes, chunks: this.#read(name, bytes, life) }) }];
  }

  async *#read(name: string, bytes: number, life: Life): AsyncGenerator<Uint8Array> {
    const { folder } = this.#parts;
    const handle = await this.#handle(join(folder, name));
    for (let at = 0; at < bytes; at += CHUNK_BYTES) {
      if (at % LOOK_BYTES === 0) await requireRoom(folder, life.room);
      const length = Math.min(CHUNK_BYTES, bytes - at);
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
      // Read before the files change again, or not at all.
      if (life.isOver) throw new Error('the snapshot was released');
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
 * not take the room that events need.
 */
async function requireRoom(folder: string, before: number): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= before * LEFT_FREE) return;
  throw new Error(
    'a quarter of the room on the disk was used up while the backup was read: read it faster, or free some',
  );
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
