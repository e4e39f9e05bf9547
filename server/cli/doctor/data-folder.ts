import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type FolderState, inspectFolder } from '../../storage/file/inspect.ts';
import { placesOpenToOthers } from '../../storage/file/private-files.ts';
import { failed, type Finding, ok, type StorageReport, warning } from './finding.ts';

/** Looks, and changes nothing: it may be asked beside a router that runs. */
export function checkDataFolder(folder: string): StorageReport {
  if (!existsSync(folder)) return { findings: [checkParent(folder)], isInUse: false };
  if (!statSync(folder).isDirectory()) {
    const detail = `${folder} is not a folder; choose another with --data-dir`;
    return { findings: [failed('data folder', detail)], isInUse: false };
  }
  const owner = checkOwner(folder);
  if (owner !== undefined) return { findings: [owner], isInUse: false };
  const state = inspectFolder(folder);
  const access = isWritable(folder) ? ok('data folder', folder) : notWritable(folder);
  return { findings: [access, checkPrivacy(folder), ...checkData(state)], isInUse: state.isInUse };
}

/** The first start makes the folder, and those above it. */
function checkParent(folder: string): Finding {
  const parent = existingAbove(resolve(folder));
  if (isWritable(parent)) return ok('data folder', `${folder} does not exist yet; the first start makes it`);
  return notWritable(parent);
}

/** The folder, or the nearest one above it that is there. */
export function existingAbove(folder: string): string {
  return existsSync(folder) ? folder : existingAbove(dirname(folder));
}

/** Files of two users keep each other out. */
function checkOwner(folder: string): Finding | undefined {
  const [owner, user] = [statSync(folder).uid, process.getuid?.()];
  if (user === undefined || owner === user) return undefined;
  const detail = `${folder} belongs to the user ${owner}, and this is ${user}; run waybill as the user of the router`;
  return warning('data folder', detail);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function notWritable(folder: string): Finding {
  const way = 'give this user the right to write there, or choose another folder with --data-dir';
  return failed('data folder', `${folder} cannot be written: ${way}`);
}

function checkPrivacy(folder: string): Finding {
  const open = placesOpenToOthers(folder);
  if (open.length === 0) return ok('permissions', 'only this user can read the data');
  return warning('permissions', `others may read ${open.join(', ')}; the next start changes what it may`);
}

function checkData({ isInUse, formats, faults }: FolderState): readonly Finding[] {
  const lock = isInUse ? 'a router uses it now' : 'no router uses it';
  const newer = formats.filter(({ format, current }) => format > current);
  const older = formats.filter(({ format, current }) => format < current);
  const words = (some: typeof formats): string =>
    some
      .map(({ file, format, current }) => `${file} has format ${format}, and this Waybill reads ${current}`)
      .join('; ');
  return [
    ok('lock', lock),
    ...faults.map((fault) => failed('formats', fault)),
    ...(newer.length > 0
      ? [failed('formats', `${words(newer)}: start the newer version of Waybill that wrote it`)]
      : []),
    ...(older.length > 0
      ? [warning('formats', `${words(older)}: the next start, or waybill migrate, brings it up to date`)]
      : []),
    ...(faults.length + newer.length + older.length === 0
      ? [ok('formats', currentWords(formats.length, isInUse))]
      : []),
  ];
}

function currentWords(files: number, isInUse: boolean): string {
  if (files === 0) return isInUse ? 'not read while a router uses it' : 'no data yet';
  return `${files} ${files === 1 ? 'file has' : 'files have'} today's format`;
}
