import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packedClient } from '../../../client/tests/support/packed-client.ts';
import { ON_DISK } from '../../../scripts/check/folders-in-memory.ts';
import { ROOT } from '../../../scripts/generate/root.ts';

export interface Run {
  readonly status: number | null;
  readonly output: string;
}

/** A project outside of the workspace that has the built packages, as a user gets them. It is removed in the end. */
export interface UserProject extends Disposable {
  readonly folder: string;
  /** Runs the Node of the set in the folder. */
  run(...args: readonly string[]): Run;
}

/** Folders of `scripts/peers`, each a set of packages that users have beside the kit; the last is the workspace's own. */
export const PEER_SETS = ['oldest', 'vitest-4', 'current'] as const;
export type PeerSet = (typeof PEER_SETS)[number];

/** What a set does not name is the workspace's own. */
export function packageOf(set: PeerSet, name: string): string {
  const own = join(ROOT, 'scripts/peers', set, 'node_modules', name);
  return existsSync(own) ? own : join(ROOT, 'node_modules', name);
}

/** The unpacked packages are copied, so that they lie below `node_modules`; what else is named comes from the set. */
export function userProject(testbed: string, packages: readonly string[], set: PeerSet = 'current'): UserProject {
  const folder = mkdtempSync(join(ON_DISK, 'waybill-user-'));
  const node = join(packageOf(set, 'node'), 'bin/node');
  const place = (name: string): string => {
    const target = join(folder, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    return target;
  };
  placeCopy(testbed, place('@waybill/testbed'));
  placeCopy(packedClient().unpacked, place('@waybill/client'));
  for (const name of packages) symlinkSync(packageOf(set, name), place(name));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  return {
    folder,
    run: (...args) => {
      const { status, stdout, stderr } = spawnSync(node, args, { cwd: folder, encoding: 'utf8' });
      return { status, output: stdout + stderr };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Of more than a thousand files, which nobody changes: where they can be linked, that takes a tenth of the time. */
function placeCopy(from: string, to: string): void {
  if (spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0) return;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}
