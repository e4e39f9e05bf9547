import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ConfigStore } from '../../storage/config-store.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { type FaultyDisk, faultyRealDisk } from './config-disk.ts';
import { source, token, workspace } from './config-resources.ts';
import { RecordingLog } from './ingestion-log.ts';

export const MAIN_ID = '00000000aa';

/** A folder with two workspaces, a source in one and a token, as a closed store leaves it. */
export async function filledFolder(): Promise<string> {
  const folder = emptyFolder();
  const store = await open(folder);
  await store.create('access-tokens', token('1'));
  await store.create('workspaces', workspace('main', MAIN_ID));
  await store.create('workspaces', workspace('other', '00000000bb'));
  await store.create('sources', source('main', 'js'));
  await store.create('sources', source('other', 'js'));
  await store.close();
  return folder;
}

export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

export function open(
  folder: string,
  log = new RecordingLog(),
  disk: FaultyDisk = faultyRealDisk(),
): Promise<ConfigStore> {
  return openConfigStore({ folder, log, disk });
}

export function snapshot(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Opens a spoilt folder; answers what the refusal says. Fails when there is none, or when it touched a file. */
export async function refusalOf(folder: string): Promise<string> {
  const before = snapshot(folder);
  const refusal: unknown = await open(folder).catch((error: unknown) => error);
  if (!(refusal instanceof Error)) throw new Error('the store opened');
  expect(snapshot(folder)).toEqual(before);
  return refusal.message;
}

export function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
