import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../../thrown.ts';
import { withoutCall } from '../full-disk.ts';

/** Of a file; in parts, so that nobody has to wait until the whole of it is made. */
export type Content = string | Iterable<Uint8Array>;

/** What the engine asks of a disk; a port, so that tests can bring one that refuses. */
export interface Disk {
  /** The names in a folder, which is made when it is missing. */
  names(folder: string): Promise<readonly string[]>;
  /** Undefined when there is no such file. */
  read(file: string): Promise<string | undefined>;
  /**
   * Puts the content in the file's place, whole or not at all, by way of a draft beside it. Once resolved it survives a power
   * cut, which may leave it under the draft's name still.
   */
  replace(file: string, content: Content, draft: string): Promise<void>;
  /** Adds text to the end of a file that is there. A failure or a power cut may leave a part of it. */
  append(file: string, text: string): Promise<void>;
  /** Gives a draft that was left so the file's name. */
  rename(draft: string, file: string): Promise<void>;
  /** Removes those of the files that are there; all of them are of one folder. */
  remove(files: readonly string[]): Promise<void>;
}

/** Only the owner may read: the files hold webhook secrets. */
const MODE = 0o600;

export function createDisk(): Disk {
  return {
    names: async (folder) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return readdir(folder);
    },
    read: readIfThere,
    replace,
    append,
    rename: async (draft, file) => {
      // A process that was killed may have left it before it was synced: a power cut would take it, and the file with it.
      await syncPath(draft);
      await rename(draft, file);
      await syncPath(dirname(file));
    },
    remove: async (files) => {
      const [first] = files;
      if (first === undefined) return;
      for (const file of files) await rm(file, { force: true });
      await syncPath(dirname(first));
    },
  };
}

/**
 * Written with a file handle, whose `writeFile` goes on until every byte is written or fails: one plain write ends
 * short on a full disk without an error, and the rename would then put a torn file in the place of a whole one. The
 * draft and its name are synced at one time, and the rename by whatever is written next: a disk is slow, and each step
 * waits for its turn in a busy event loop besides.
 */
async function replace(file: string, content: Content, draft: string): Promise<void> {
  const opening = open(dirname(file));
  // It fails where it is awaited.
  opening.catch(() => undefined);
  try {
    const handle = await open(draft, 'w', MODE);
    try {
      await handle.writeFile(content);
      const folder = await opening;
      await Promise.all([handle.sync(), folder.sync()]);
      await rename(draft, file);
    } finally {
      closeBehind(handle);
    }
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    opening.then(closeBehind, () => undefined);
  }
}

async function append(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a', MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    closeBehind(handle);
  }
}

/** What was written is synced or given up by now: nobody has to wait for this, and nothing that it says matters. */
function closeBehind(handle: FileHandle): void {
  handle.close().catch(() => undefined);
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    const way = 'give this user the right to, or put a good copy in its place';
    throw new Error(`${file} cannot be read (${withoutCall(messageOf(error))}): ${way}. Nothing was touched.`, {
      cause: error,
    });
  }
}
