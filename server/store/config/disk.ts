import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What the engine asks of a disk; a port, so that tests can bring one that refuses. */
export interface Disk {
  /** The names in a folder, which is made when it is missing. */
  names(folder: string): Promise<readonly string[]>;
  /** Undefined when there is no such file. */
  read(file: string): Promise<string | undefined>;
  /** Puts the text in the file's place, whole or not at all; once resolved it survives a power cut. */
  replace(file: string, text: string): Promise<void>;
  /** Removes the file, and what an unfinished `replace` left beside it. */
  remove(file: string): Promise<void>;
}

/** Only the owner may read: the files hold webhook secrets. */
const MODE = 0o600;

/** What stands beside a file while it is being replaced. It was promised to nobody. */
export const UNFINISHED = '.new';

export function createDisk(): Disk {
  return {
    names: async (folder) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return readdir(folder);
    },
    read: readIfThere,
    replace,
    remove: async (file) => {
      await rm(file, { force: true });
      await rm(file + UNFINISHED, { force: true });
      await syncFolder(dirname(file));
    },
  };
}

/**
 * Written with a file handle, whose `writeFile` goes on until every byte is written or fails: one plain write ends
 * short on a full disk without an error, and the rename would then put a torn file in the place of a whole one. A rename
 * is durable once the folder that holds the names is. Each step waits for its turn in a busy event loop, and so there are
 * no more of them than needed.
 */
async function replace(file: string, text: string): Promise<void> {
  const fresh = file + UNFINISHED;
  const folder = open(dirname(file));
  // It fails where it is awaited.
  folder.catch(() => undefined);
  try {
    const handle = await open(fresh, 'w', MODE);
    try {
      await handle.writeFile(text);
      await handle.sync();
      await rename(fresh, file);
      await (await folder).sync();
    } finally {
      closeBehind(handle);
    }
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    folder.then(closeBehind, () => undefined);
  }
}

/** What was written is synced or given up by now: nobody has to wait for this, and nothing that it says matters. */
function closeBehind(handle: FileHandle): void {
  handle.close().catch(() => undefined);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
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
    throw error;
  }
}
