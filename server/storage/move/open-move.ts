import type { Log } from '../../ports/log.ts';
import { StorageUnusable } from '../errors.ts';
import type { Place } from '../place.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { databaseSource } from './database-source.ts';
import { databaseTarget } from './database-target.ts';
import { folderSource } from './folder-source.ts';
import { folderTarget } from './folder-target.ts';
import { type Moved, moveStorage } from './move-storage.ts';

/** Moves everything from one storage to another, of whichever engines. */
export function movePlace(from: Place, to: Place, log: Log, keyring: Keyring): Promise<Moved> {
  if (from.engine === to.engine) throw new StorageUnusable(sameEngine(from));
  const usingSource =
    from.engine === 'file' ? folderSource(from.folder, log, keyring) : databaseSource(from.url, keyring);
  const usingTarget = to.engine === 'file' ? folderTarget(to.folder, keyring) : databaseTarget(to.url, log, keyring);
  return usingSource((source) => usingTarget((target) => moveStorage(source, target)));
}

function sameEngine({ engine }: Place): string {
  const way = engine === 'file' ? 'copy the folder instead' : 'use pg_dump and pg_restore instead';
  return `both are storages of one kind: ${way}`;
}
