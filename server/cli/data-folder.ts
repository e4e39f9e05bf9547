import { SETTINGS, variableOf } from '../settings/settings.ts';
import { DataFolderUnusable, holdsConfiguration } from '../storage/file/open-file-storage.ts';

/** The folder that a command works on: that of its flag, of the environment, or the default; as `serve` chooses it. */
export function dataFolder(flag: string | undefined): string {
  const { flag: name, standard = '' } = SETTINGS.dataDir;
  return flag || process.env[variableOf(name)] || standard;
}

/** Throws where no router has kept anything; opening the folder would make it one. */
export function requireData(folder: string, otherWay: string): void {
  if (holdsConfiguration(folder)) return;
  const way = `name another folder with --data-dir${otherWay === '' ? '' : `, ${otherWay}`}`;
  throw new DataFolderUnusable(`${folder} holds no data of a router: ${way}`);
}
