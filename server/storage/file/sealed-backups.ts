import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Log } from '../../ports/log.ts';
import { type Keyring, keyIdOf, SEALED } from '../secrets/keyring.ts';
import { beginningOf } from './inspect.ts';
import { keysOfStored, storedRowsIn } from './inspect-secrets.ts';
import { createDisk, type Disk } from './resources/disk.ts';

/**
 * Encrypts the copies that migrations made of the configuration, each as a whole: an earlier version, to which it belongs,
 * refuses it so, where values that it cannot read would be used as they are. One whose secrets are all encrypted with the newest
 * key stays as it is: its version wrote it so, and can be started on it. Without a newest key they are put back in clear.
 * Those that were encrypted with a key that is gone stay as they are: no router reads them.
 */
export async function sealBackups(configFolder: string, keyring: Keyring, log: Log): Promise<void> {
  if (keyring.ids.length === 0 || !existsSync(configFolder)) return;
  const disk = createDisk();
  for (const file of globSync('format-*.backup/*.json', { cwd: configFolder })) {
    await sealBackup(join(configFolder, file), keyring, disk).catch((error: unknown) => {
      log.warn({ file, reason: String(error) }, 'a backup stays as it is');
    });
  }
}

/**
 * Who goes back puts copies in the place of the files, and may do so before they were put in clear: then no version could read the
 * configuration any more. Throws StorageUnusable where their key is not given.
 */
export async function openPutBack(configFolder: string, keyring: Keyring): Promise<void> {
  const disk = createDisk();
  for (const name of globSync('*.json', { cwd: configFolder })) {
    const file = join(configFolder, name);
    if (beginningOf(file, SEALED.length).toString('latin1') !== SEALED) continue;
    const text = (await disk.read(file)) ?? '';
    await disk.replace(file, keyring.open(text, placeOf(file)), `${file}.new`);
  }
}

/** Where a copy belongs: it opens nowhere else. */
function placeOf(file: string): string {
  return `the backup ${basename(file)}`;
}

async function sealBackup(file: string, keyring: Keyring, disk: Disk): Promise<void> {
  const text = (await disk.read(file)) ?? '';
  const id = keyIdOf(text);
  if (id === keyring.current) return;
  const place = placeOf(file);
  const clear = id === undefined ? text : keyring.open(text, place);
  const wanted = isForItsVersion(clear, keyring) ? clear : keyring.seal(clear, place);
  if (wanted !== text) await disk.replace(file, wanted, `${file}.new`);
}

/** Of what cannot be read nobody knows what it says. */
function isForItsVersion(text: string, { current }: Keyring): boolean {
  if (current === undefined) return true;
  const rows = storedRowsIn(text);
  return rows !== undefined && rows.flatMap(keysOfStored).every((id) => id === current);
}
