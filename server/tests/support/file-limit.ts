import { execFileSync } from 'node:child_process';

/**
 * From now on no file of the process can be written (`EFBIG`, which SQLite takes for a broken disk, as it does a file
 * system that has become read-only); sockets and pipes can. Works without any right, wherever Linux has `prlimit`.
 */
export function refuseFileWrites(pid: number): void {
  setFileLimit(pid, '0');
}

export function allowFileWrites(pid: number): void {
  setFileLimit(pid, 'unlimited');
}

function setFileLimit(pid: number, limit: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${limit}:unlimited`]);
}
