import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packedClient } from '../../../client/tests/support/package-cache.ts';
import { ROOT } from '../../../scripts/generate/root.ts';

export interface Run {
  readonly status: number | null;
  readonly output: string;
}

/** A project outside of the workspace that has the built packages, as a user gets them. It is removed in the end. */
export interface UserProject extends Disposable {
  readonly folder: string;
  /** Runs Node in the folder. */
  run(...args: readonly string[]): Run;
}

/** The built packages are copied, so that they lie below `node_modules`; what else is named comes from the workspace. */
export function userProject(testbed: string, packages: readonly string[]): UserProject {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-user-'));
  const place = (name: string): string => {
    const target = join(folder, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    return target;
  };
  cpSync(testbed, place('@waybill/testbed'), { recursive: true });
  cpSync(packedClient().unpacked, place('@waybill/client'), { recursive: true });
  for (const name of packages) symlinkSync(join(ROOT, 'node_modules', name), place(name));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  return {
    folder,
    run: (...args) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      return { status, output: stdout + stderr };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
