import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../generate/root.ts';

const run = promisify(execFile);

/** The router of a commit, as a fault run starts it. */
export interface EarlierVersion extends AsyncDisposable {
  readonly entry: string;
}

/** The files of the commit are in a folder of their own; it has the packages of today. */
export async function earlierVersion(commit: string): Promise<EarlierVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-earlier-'));
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'files.tar');
    await run('git', ['-C', ROOT, 'archive', '--output', archive, commit]);
    await run('tar', ['-x', '-f', archive, '-C', folder]);
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  } catch (error) {
    await dispose();
    throw error;
  }
  return { entry: join(folder, 'scripts/faults/router-at-another-time.ts'), [Symbol.asyncDispose]: dispose };
}
