import { dirname, join } from 'node:path';
import type { WriteCheck } from '../../storage.ts';
import { freeBytes, withoutCall, wordsOfDisk } from '../full-disk.ts';
import type { Content, Disk } from './disk.ts';

export interface CheckedDisk {
  /** For the store, so that the check knows what the store writes. */
  readonly disk: Disk;
  readonly check: WriteCheck;
}

/** Bytes that a folder's disk still has room for, as far as it tells. */
export type FreeBytes = (folder: string) => Promise<number>;

const PROOF = 'written-by-readyz';

/** A change adds at least this much to a file without being unusual. */
const ROOM_BYTES = 65_536;

/**
 * A change of the configuration writes the file of its workspace whole: on a disk with room for a small file alone, every create would
 * be a 503. So there has to be room for the largest of them, and a change more. Where the disk says that there is, the proof is a small
 * file. Where it does not, or a write has failed since, as with a quota that no disk tells of, the proof is as large as that: a disk that
 * says that it is full may still take the writes of root.
 */
export function checkedDisk(disk: Disk, folder: string, free: FreeBytes = freeBytes): CheckedDisk {
  const sizes = new Map<string, number>();
  let [failures, settled] = [0, 0];
  const counted = async (write: Promise<void>): Promise<void> => {
    try {
      await write;
    } catch (error) {
      failures += 1;
      throw error;
    }
  };
  const attempt = async (): Promise<void> => {
    const before = failures;
    const needed = [...sizes.values()].reduce((one, other) => Math.max(one, other), 0) + ROOM_BYTES;
    const isWhole = before > settled || (await free(folder).catch(() => 0)) < needed;
    await proveWritable(disk, join(folder, PROOF), isWhole ? needed : ROOM_BYTES);
    if (isWhole) settled = before;
  };
  return {
    disk: { ...disk, ...sizedWrites(disk, sizes, counted) },
    check: { name: 'config store', attempt, failures: () => failures },
  };
}

type Counted = (write: Promise<void>) => Promise<void>;

/** How large each file is that was read or written. */
function sizedWrites(disk: Disk, sizes: Map<string, number>, counted: Counted): Omit<Disk, 'names'> {
  return {
    async read(file) {
      const text = await disk.read(file);
      if (text !== undefined) sizes.set(file, Buffer.byteLength(text));
      return text;
    },
    async replace(file, content, draft) {
      let bytes = 0;
      const parts = sized(content, (more) => void (bytes += more));
      await counted(disk.replace(file, parts, draft));
      sizes.set(file, bytes);
    },
    async append(file, text) {
      await counted(disk.append(file, text));
      sizes.set(file, (sizes.get(file) ?? 0) + Buffer.byteLength(text));
    },
    async rename(draft, file) {
      await counted(disk.rename(draft, file));
      sizes.set(file, sizes.get(draft) ?? 0);
      sizes.delete(draft);
    },
    async remove(files) {
      await counted(disk.remove(files));
      for (const file of files) sizes.delete(file);
    },
  };
}

function* sized(content: Content, count: (bytes: number) => void): Generator<Uint8Array> {
  for (const part of typeof content === 'string' ? [Buffer.from(content)] : content) {
    count(part.length);
    yield part;
  }
}

async function proveWritable(disk: Disk, file: string, bytes: number): Promise<void> {
  try {
    await disk.replace(file, fillerOf(bytes), `${file}.new`);
    await disk.remove([file]);
  } catch (cause) {
    // The path is not for everybody.
    throw new Error(`it cannot write: ${withoutCall(wordsOfDisk(cause, { folder: dirname(file) }))}`, { cause });
  }
}

function* fillerOf(bytes: number): Generator<Uint8Array> {
  const part = Buffer.alloc(ROOM_BYTES, '\n');
  for (let left = bytes; left > 0; left -= part.length) yield part.subarray(0, left);
}
