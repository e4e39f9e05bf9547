import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { ArchiveReader, ArchiveUnusable } from '../server/storage/archive/archive-reader.ts';
import { wordsOfDisk } from '../server/storage/file/full-disk.ts';
import { type CommonFlags, connectionOf, withConnection } from './api-program.ts';
import type { Connection } from './connection.ts';
import { CommandFailed } from './failure.ts';
import type { Terminal } from './terminal.ts';
import { clientOf } from './typed-client.ts';

const PRIVATE_FILE = 0o600;

const HELP = `
The token must have write scope, and not be bound to workspaces. The file holds
events and secrets: only this user can read it. Without an error, it is whole,
and on the disk. "waybill restore" makes a data folder of it.`;

export function addBackup(program: Command, terminal: Terminal): void {
  const command = withConnection(program.command('backup'))
    .description('save all that a running router keeps in a file')
    .helpGroup('Router:')
    .argument('<file>', 'must not exist yet')
    .addHelpText('after', HELP)
    .action(async (file: string) => {
      const bytes = await saveBackup(file, connectionOf(command, terminal));
      const { json } = command.opts<CommonFlags>();
      terminal.print(
        json === true ? JSON.stringify({ file, bytes }) : `Saved ${(bytes / 1e6).toFixed(1)} MB in ${file}`,
      );
    });
}

/** The file has its name once it is whole; answers its size. */
async function saveBackup(file: string, connection: Connection): Promise<number> {
  if (existsSync(file)) throw new CommandFailed(`${file} exists: choose another name, or remove it`);
  const draft = `${file}.part`;
  // What a kill left, or somebody else put there: a file keeps its rights, and a link leads elsewhere.
  await rm(draft, { force: true });
  try {
    const bytes = await download(draft, connection);
    await rename(draft, file);
    await syncFolder(dirname(file));
    return bytes;
  } catch (error) {
    await rm(draft, { force: true });
    if (error instanceof ArchiveUnusable)
      throw new CommandFailed(`${error.message}; the log of the router says why`, { cause: error });
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const reason = wordsOfDisk(error, { way: 'name a file on another disk' });
    throw new CommandFailed(`${file} was not saved: ${reason}`, { cause: error });
  }
}

async function download(draft: string, connection: Connection): Promise<number> {
  await using handle = await open(draft, 'wx', PRIVATE_FILE);
  const reader = new ArchiveReader({ begin: () => {}, write: () => {}, finish: () => {} });
  let bytes = 0;
  for await (const chunk of clientOf(connection).backup.download()) {
    reader.push(chunk);
    await handle.writeFile(chunk);
    bytes += chunk.length;
  }
  reader.end();
  await handle.sync();
  return bytes;
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
