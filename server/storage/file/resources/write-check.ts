import { join } from 'node:path';
import type { WriteCheck } from '../../storage.ts';
import type { Disk } from './disk.ts';

export interface CheckedDisk {
  /** For the store, so that the check knows what the store writes. */
  readonly disk: Disk;
  readonly check: WriteCheck;
}

const PROOF = 'written-by-readyz';

/** A change adds at least this much to a file without being unusual. */
const ROOM_BYTES = 65_536;

/**
 * A change of the configuration writes the file of its workspace whole. So the proof is a file as large as the largest
 * of them, and a change more: on a disk with room for a small file alone, every create would be a 503.
 */
export function checkedDisk(disk: Disk, folder: string): CheckedDisk {
  let largest = 0;
  const note = (text: string | undefined): void => {
    largest = Math.max(largest, Buffer.byteLength(text ?? ''));
  };
  return {
    disk: {
      ...disk,
      async read(file) {
        const text = await disk.read(file);
        note(text);
        return text;
      },
      async replace(file, text, draft) {
        await disk.replace(file, text, draft);
        note(text);
      },
    },
    check: { name: 'config store', attempt: () => proveWritable(disk, join(folder, PROOF), largest + ROOM_BYTES) },
  };
}

async function proveWritable(disk: Disk, file: string, bytes: number): Promise<void> {
  try {
    await disk.replace(file, '\n'.repeat(bytes), `${file}.new`);
    await disk.remove([file]);
  } catch (cause) {
    // Node says first what is wrong (`ENOSPC: no space left on device`), then where; the path is not for everybody.
    const [what] = (cause instanceof Error ? cause.message : String(cause)).split(',');
    throw new Error(`it cannot write: ${what}`, { cause });
  }
}
