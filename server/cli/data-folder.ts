import { SETTINGS, variableOf } from '../settings/settings.ts';

/** The folder that a command works on: that of its flag, of the environment, or the default; as `serve` chooses it. */
export function dataFolder(flag: string | undefined): string {
  const { flag: name, standard = '' } = SETTINGS.dataDir;
  return flag || process.env[variableOf(name)] || standard;
}
