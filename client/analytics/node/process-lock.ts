import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import { join } from 'node:path';

/** A process is known by its number and its start: in a container the next one, or a thread, has the same number. */
const SELF = [process.pid, performance.timeOrigin, startOf(process.pid)].filter((part) => part !== undefined).join(' ');

const LOCK_NAME = /^lock\.(\d{1,15})$/;

/**
 * Takes a folder for this process where the system gives no lock that ends with it; throws while another process that
 * lives, or another store of this one, has it. What a crashed process left behind does not count.
 *
 * Each holder makes a file of its own with the next number, and the last one counts: so of two that find a dead holder at
 * the same time only one takes its place, and nobody removes the lock of another that lives.
 */
export function lockByProcess(folder: string): () => void {
  const own = join(folder, `locking.${randomUUID()}`);
  writeFileSync(own, SELF, { flag: 'wx', mode: 0o600 });
  try {
    for (;;) {
      const path = tryLock(folder, own);
      if (path !== undefined) return () => giveBack(path);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** The file that is the lock now; undefined when somebody else was faster. */
function tryLock(folder: string, own: string): string | undefined {
  const pathOf = (number: number): string => join(folder, `lock.${number}`);
  const [last = 0] = numbersIn(folder);
  const next = pathOf(last + 1);
  const holder = last === 0 ? undefined : holderOf(pathOf(last));
  if (holder !== undefined) throw new Error(`The folder ${folder} is in use by process ${holder}: give each its own`);
  try {
    // It is there at once with what is in it.
    linkSync(own, next);
  } catch (error) {
    if (isCode(error, 'EEXIST')) return undefined;
    throw error;
  }
  const [latest, ...earlier] = numbersIn(folder);
  if (latest !== last + 1) rmSync(next, { force: true });
  else for (const number of earlier) rmSync(pathOf(number), { force: true });
  return latest === last + 1 ? next : undefined;
}

/** The number stays taken: whoever found it free before would have it beside the next holder. */
function giveBack(path: string): void {
  if (existsSync(path)) truncateSync(path);
}

/** Those of the locks, the last one first. */
function numbersIn(folder: string): number[] {
  const numbers = readdirSync(folder).flatMap((name) => LOCK_NAME.exec(name)?.slice(1).map(Number) ?? []);
  return numbers.toSorted((one, other) => other - one);
}

/** The number of the process that holds the lock; undefined when it lives no more, or has given the lock back. */
function holderOf(path: string): number | undefined {
  const text = textOf(path);
  const pid = Number.parseInt(text, 10);
  if (text === SELF) return pid;
  const [start, lockedBy] = [startOf(pid), text.split(' ')[2]];
  if (start !== undefined && lockedBy !== undefined) return start === lockedBy ? pid : undefined;
  const bootedAt = Date.now() - uptime() * 1000;
  if (pid === process.pid || !(pid > 0) || writtenAt(path) < bootedAt) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    // It lives, but belongs to somebody else.
    return isCode(error, 'EPERM') ? pid : undefined;
  }
}

/** Nothing when the file is gone: there is a later lock then. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  }
}

function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
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
