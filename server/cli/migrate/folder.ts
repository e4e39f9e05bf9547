import { sortIn } from '../../storage/file/disk-room.ts';
import { type FileMigration, migrateFolder, planMigration } from '../../storage/file/migrate.ts';
import { DataFolderUnusable, unusable } from '../../storage/file/open-file-storage.ts';
import { stderrLog } from '../command.ts';
import type { Migrating, Told } from '../migrate.ts';
import { keyringOfCommand, requireData } from '../place.ts';

export function folderMigration(folder: string): Migrating {
  const plan = async (): Promise<readonly FileMigration[]> => {
    requireData(folder, '');
    const { isInUse, files } = planMigration(folder);
    if (isInUse) throw new DataFolderUnusable(`another router uses ${folder}: stop it first`);
    return files;
  };
  return {
    plan: async () => told(folder, true, await plan().catch(unusable)),
    carryOut: async () => {
      sortIn(folder, process.env);
      const carriedOut = plan().then(() => migrateFolder(folder, stderrLog, keyringOfCommand()));
      return told(folder, false, await carriedOut.catch(unusable));
    },
  };
}

function told(folder: string, dryRun: boolean, files: readonly FileMigration[]): Told {
  const lines = files.flatMap(({ file, from, to, changes, backup, bytes }) => [
    `${file}: format ${from} to ${to}`,
    ...changes.map((change) => `  ${change}`),
    `  backup: ${backup} (${bytes} bytes or fewer)`,
  ]);
  const after = files.length > 0 && !dryRun ? ['Remove the backups once the new version has proven itself.'] : [];
  return {
    changes: files.length,
    object: { folder, dry_run: dryRun, files },
    lines: files.length === 0 ? [`${folder} has today's format already`] : [...lines, ...after],
  };
}
