/** A file system that fails, for tests in this process. Each is disposed of when the disk is well again. */
import fs, { readdirSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

type Call =
  | 'fdatasyncSync'
  | 'ftruncateSync'
  | 'linkSync'
  | 'openSync'
  | 'readFileSync'
  | 'rmSync'
  | 'writeFileSync'
  | 'writeSync';

/** These calls fail with this code. */
export function failing(code: string, ...calls: readonly Call[]): Disposable {
  const fail = (): never => {
    throw Object.assign(new Error(code), { code });
  };
  return replaced(Object.fromEntries(calls.map((call) => [call, fail])));
}

/** The files of the folder have room for so many bytes together. */
export function smallDisk(folder: string, capacity: number): Disposable {
  const { writeSync } = fs;
  const used = (): number => readdirSync(folder).reduce((total, name) => total + statSync(join(folder, name)).size, 0);
  return replaced({
    writeSync: (file: number, bytes: Buffer, from: number) => {
      const room = capacity - used();
      if (room <= 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      return writeSync(file, bytes, from, Math.min(room, bytes.length - from));
    },
  });
}

/** Other functions in place of those of `node:fs`. */
export function replaced(functions: Readonly<Record<string, unknown>>): Disposable {
  const before = Object.fromEntries(Object.keys(functions).map((name) => [name, Reflect.get(fs, name)]));
  set(functions);
  return { [Symbol.dispose]: () => set(before) };
}

function set(functions: Readonly<Record<string, unknown>>): void {
  Object.assign(fs, functions);
  syncBuiltinESMExports();
}
