import { statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { MOST_KEPT } from '../../delivery/connections.ts';
import { MAX_WEBHOOKS } from '../../destinations/webhooks-settings.ts';
import { cannotListen } from '../../http/listener.ts';
import { connectionsWithin, MORE_FILES } from '../../http/open-files.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import type { Settings } from '../../settings/settings.ts';
import { listenOnce } from '../start-checks.ts';
import { existingAbove } from './data-folder.ts';
import { failed, type Finding, ok, warning } from './finding.ts';

/** From the oldest that the package installs on to the one that a clone is run with. */
export const SUPPORTED_NODE = { from: 24, to: 26 };

export function checkNode(version: string): Finding {
  const { from, to } = SUPPORTED_NODE;
  const major = Number.parseInt(version, 10);
  if (major >= from && major <= to) return ok('Node.js', version);
  return warning('Node.js', `${version}; Waybill supports Node.js ${from} to ${to}: install one of them`);
}

/** Listens there for a moment. Where a router uses the storage, that one has the port, as a rule. */
export async function checkPort({ host, port }: Settings, isRunning: boolean): Promise<Finding> {
  const error = await listenOnce(host, port);
  if (error === undefined) return ok('port', port === 0 ? `${host}, any free port` : `${host}:${port} is free`);
  if (isRunning && error.code === 'EADDRINUSE') return ok('port', `${host}:${port} is in use, and so is the storage`);
  return failed('port', cannotListen(error, host, port).message);
}

/** Of webhooks: as many as deliveries in flight may have, and those that stay open between. Besides, of storage and its own. */
const TO_WEBHOOKS = MAX_WEBHOOKS * DEFAULT_POLICY.inFlight + MOST_KEPT;
const OWN_FILES = 200;

/** A router that may open no more files takes no connection of anybody. Nothing where the system does not tell. */
export function checkOpenFiles(
  { maxConnections }: Pick<Settings, 'maxConnections'>,
  most: number | undefined,
): Finding[] {
  if (most === undefined) return [];
  const needed = maxConnections + TO_WEBHOOKS + OWN_FILES;
  const [may, needs] = [most, needed].map((files) => files.toLocaleString('en'));
  if (most >= needed) return [ok('open files', `${may} may be open, ${needs} are needed at most`)];
  const taken = connectionsWithin(most, maxConnections);
  const fewer = taken < maxConnections ? `, and the router takes ${taken.toLocaleString('en')} connections` : '';
  const what = `${may} may be open; with --max-connections ${maxConnections} up to ${needs} are needed${fewer}`;
  return [warning('open files', `${what}: ${MORE_FILES}, or lower --max-connections`)];
}

type StatDisk = (folder: string) => { readonly bavail: number; readonly bsize: number };

const [LITTLE_MB, TOO_LITTLE_MB] = [1_000, 100];

/** On the disk that the data folder is on, or will be. */
export function checkDiskSpace(folder: string, stat: StatDisk = statfsSync): Finding {
  const { bavail, bsize } = stat(existingAbove(resolve(folder)));
  const free = Math.floor((bavail * bsize) / 1_000_000);
  const words = `${free.toLocaleString('en')} MB free`;
  const full = 'a full disk stops ingestion and changes of the configuration (503)';
  if (free < TOO_LITTLE_MB)
    return failed('disk space', `${words}: ${full}; free some, or choose another disk with --data-dir`);
  if (free < LITTLE_MB) return warning('disk space', `${words}: ${full}`);
  return ok('disk space', words);
}
