import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSecretKeys, readStorage, SETTINGS } from '../settings/settings.ts';
import { DataFolderUnusable, holdsConfiguration } from '../storage/file/open-file-storage.ts';
import { DELIVERIES_FILE } from '../storage/file/private-files.ts';
import { type Place, readPlace } from '../storage/place.ts';
import { createKeyring, type Keyring } from '../storage/secrets/keyring.ts';

/** The flags of a command that works on a storage. */
export const PLACE_FLAGS = { storage: { type: 'string' }, 'data-dir': { type: 'string' } } as const;

/** The storage that a command works on: that of its flags, of the environment, or the default; as `serve` chooses it. */
export function placeOf(flags: {
  readonly storage?: string | undefined;
  readonly 'data-dir'?: string | undefined;
}): Place {
  const { storage, dataDir } = SETTINGS;
  return readPlace(readStorage({ [storage.flag]: flags.storage, [dataDir.flag]: flags['data-dir'] }, process.env));
}

/** What the secrets of a storage are encrypted with: as `serve` has it, from the environment alone. */
export function keyringOfCommand(): Keyring {
  return createKeyring(readSecretKeys({}, process.env));
}

/** Throws where no router has kept anything; opening the folder would make it one. */
export function requireData(folder: string, otherWay: string): void {
  if (holdsConfiguration(folder)) return refuseForeignData(folder);
  const way = `name another folder with --data-dir${otherWay === '' ? '' : `, ${otherWay}`}`;
  throw new DataFolderUnusable(`${folder} holds no data of a router: ${way}`);
}

/** Throws where root would write files that the user whose data it is, the one of the router, could not open any more. */
export function refuseForeignData(folder: string): void {
  const file = join(folder, DELIVERIES_FILE);
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot && existsSync(file) ? statSync(file).uid : 0;
  if (owner === 0) return;
  const way = `run it as that user (docs/install.md), or give root the data: chown -R root ${folder}`;
  throw new DataFolderUnusable(
    `the data in ${folder} belongs to the user ${owner}, whom files that root writes would lock out: ${way}`,
  );
}
