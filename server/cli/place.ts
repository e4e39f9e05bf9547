import { readSecretKeys, readStorage, SETTINGS } from '../settings/settings.ts';
import { DataFolderUnusable, holdsConfiguration } from '../storage/file/open-file-storage.ts';
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
  if (holdsConfiguration(folder)) return;
  const way = `name another folder with --data-dir${otherWay === '' ? '' : `, ${otherWay}`}`;
  throw new DataFolderUnusable(`${folder} holds no data of a router: ${way}`);
}
