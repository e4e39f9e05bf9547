import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Memory that looks like a disk, where the system has one. */
const MEMORY = '/dev/shm';
/** On a disk, whatever TMPDIR says: for folders into which packages are linked, or copied where they cannot be. */
export const ON_DISK = '/var/tmp';
/** Several times what all tests hold that run at once. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * A folder in memory for the folders of tests, which make and remove tens of thousands of files, each known by nobody after a
 * moment: on a disk they take twice the processor time. Undefined where there is no such memory, too little of it, or where no
 * program may run that lies there.
 */
export function folderInMemory(memory = MEMORY, neededBytes = NEEDED_BYTES): string | undefined {
  let folder: string | undefined;
  try {
    removeLeft(memory);
    folder = mkdtempSync(join(memory, `waybill-tests-${process.pid}-`));
    // As /tmp: a server that a test starts as another user has its folder there.
    chmodSync(folder, 0o1777);
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize >= neededBytes && runsPrograms(folder)) return folder;
  } catch {
    // It is not there, or not for us.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true });
  return undefined;
}

/** Of runs that were killed: it would stay in memory. */
function removeLeft(memory: string): void {
  for (const name of readdirSync(memory)) {
    const [, pid] = /^waybill-tests-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(memory, name), { recursive: true, force: true });
  }
}

function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/** Vitest's global set-up, before all others; what it gives runs after the last test. */
export function setup(): (() => void) | undefined {
  const folder = folderInMemory();
  if (folder === undefined) return undefined;
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
