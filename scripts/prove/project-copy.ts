import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A copy of the project in which sources can be broken. Packages are linked; caches are its own. */
export class ProjectCopy implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'waybill-prove-'));

  constructor(root: string) {
    // Some tests start a router as another user, who has to reach its files.
    chmodSync(this.folder, 0o755);
    for (const file of filesOf(root)) {
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      cpSync(join(root, file), join(this.folder, file));
    }
    const packages = join(this.folder, 'node_modules');
    mkdirSync(packages);
    for (const name of readdirSync(join(root, 'node_modules'))) {
      // What builds leave behind must not pass from one copy to another.
      if (name.startsWith('.') && name !== '.bin') continue;
      symlinkSync(join(root, 'node_modules', name), join(packages, name));
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** All files of the project, those that are not committed yet included. */
function filesOf(root: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`the files of the project cannot be listed: ${stderr}`);
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}
