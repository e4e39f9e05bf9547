import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { createDisk } from './disk.ts';
import { FORMAT } from './migrations.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { draftsOf, ShardFile } from './shard-file.ts';
import { formatIn, homeIn } from './shard-text.ts';

/** A file of the configuration in an older format, read and found whole. */
export interface OlderShard {
  readonly file: string;
  /** Writes it in the current format, whole or not at all. */
  migrate(): Promise<void>;
}

/**
 * Reads the files, and then puts each in order as a start does: the last change is in the file afterwards, and no longer
 * in a draft that a crash left beside it. Throws, and touches nothing, when one is damaged. A migration that was killed
 * may have left some done.
 */
export async function openOlderShards(files: readonly string[], keyring: Keyring): Promise<readonly OlderShard[]> {
  const read = [];
  for (const file of files) read.push({ file, ...(await readShard(file, keyring)) });
  for (const { shard } of read) await shard.settle();
  return read.flatMap(({ file, shard, state }) => {
    if (formatIn(readFileSync(file, 'utf8')) === FORMAT || state === null) return [];
    return [{ file, migrate: () => shard.write(state) }];
  });
}

async function readShard(file: string, keyring: Keyring) {
  const beside = await readdir(dirname(file));
  const left = draftsOf(file).filter((draft) => beside.includes(basename(draft)));
  const home = homeIn(readFileSync(file, 'utf8'), file);
  const shard = new ShardFile({ disk: createDisk(), file, home, left, keyring });
  return { shard, state: await shard.read() };
}
