import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';

/** A process is known by its number and its start: in a container the next one, or a thread, has the same number. */
const SELF = [process.pid, performance.timeOrigin, startOf(process.pid)].filter((part) => part !== undefined).join(' ');

/**
 * Takes a folder for this process; throws while another process that lives, or another store of this one, has it. What a
 * crashed process left behind does not count.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  for (;;) {
    try {
      writeFileSync(path, SELF, { flag: 'wx', mode: 0o600 });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const holder = holderOf(path);
    if (holder !== undefined) throw new Error(`The folder ${folder} is in use by process ${holder}: give each its own`);
    rmSync(path, { force: true });
  }
}

/** The number of the process that holds the lock; undefined when it lives no more. */
function holderOf(path: string): number | undefined {
  const text = readFileSync(path, 'utf8');
  const pid = Number.parseInt(text, 10);
  if (text === SELF) return pid;
  const [start, lockedBy] = [startOf(pid), text.split(' ')[2]];
  if (start !== undefined && lockedBy !== undefined) return start === lockedBy ? pid : undefined;
  const bootedAt = Date.now() - uptime() * 1000;
  if (pid === process.pid || !(pid > 0) || statSync(path).mtimeMs < bootedAt) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    // It lives, but belongs to somebody else.
    return isCode(error, 'EPERM') ? pid : undefined;
  }
}

/** When a process or thread began, in ticks since the boot, so that no clock is asked; undefined where nothing tells. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The 22nd field. The second is a name, which may hold spaces.
    return stat.slice(stat.lastIndexOf(')')).split(' ')[20];
  } catch {
    return undefined;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
