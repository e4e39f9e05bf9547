import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildTestbed } from '../../../scripts/build-testbed/build.ts';

/** Builds and packs the testbed into the folder, as npm would publish it, and gives where the tarball is unpacked. */
export function packTestbed(folder: string): string {
  buildTestbed(join(folder, 'dist'));
  const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
  const file = execFileSync('npm', ['pack', './dist', '--offline', '--ignore-scripts', '--silent'], options).trim();
  execFileSync('tar', ['-xzf', file], options);
  return join(folder, 'package');
}
