import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { isPossible } from './possible.ts';

/** A file system of a few megabytes, which can really be filled (`ENOSPC`). */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all of the space that is left, but for so many bytes. */
  readonly fill: (room?: number) => void;
  /** Takes all inodes that are left: no file can be made any more, whatever room there is. */
  readonly takeInodes: () => void;
  /** Gives it back. */
  readonly free: () => void;
}

/** Whether this process may mount anything. */
export function canMount(): boolean {
  return isPossible(mountsHere(), 'root, and mounts of its own');
}

function mountsHere(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-mount-'));
  try {
    mount(folder);
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function mountSmallDisk(megabytes = 8): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-small-disk-'));
  mount(folder, megabytes);
  onTestFinished(() => {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });
  const filling = join(folder, 'filling');
  const takeInodes = (): void => void execFileSync('mount', ['-o', `remount,nr_inodes=${usedInodes(folder)}`, folder]);
  return { folder, fill: (room = 0) => fillUp(filling, room), takeInodes, free: () => rmSync(filling) };
}

function usedInodes(folder: string): number {
  const { files, ffree } = statfsSync(folder);
  return files - ffree;
}

function mount(folder: string, megabytes = 8): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder], { stdio: 'ignore' });
}

function fillUp(file: string, room: number): void {
  const handle = openSync(file, 'w');
  const block = Buffer.alloc(64 * 1024, 1);
  try {
    for (;;) writeSync(handle, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    ftruncateSync(handle, fstatSync(handle).size - room);
  } finally {
    closeSync(handle);
  }
}
