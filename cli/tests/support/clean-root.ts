import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/generate/root.ts';
import { installInto, manifestIn } from './installed.ts';
import { packedWaybill } from './packed-waybill.ts';
import { isPossible } from '../../../server/tests/support/possible.ts';

/** What the last stage of the Dockerfile says of its containers. */
export interface ImageSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly workdir: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

export function imageSettings(): ImageSettings {
  const stage = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split('FROM scratch\n')[1] ?? '';
  const line = (pattern: RegExp): string => pattern.exec(stage)?.[1] ?? '';
  return {
    env: Object.fromEntries(
      [...line(/^ENV (.*)$/m).matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
    ),
    user: line(/^USER (\S+)$/m),
    workdir: line(/^WORKDIR (\S+)$/m),
    entrypoint: JSON.parse(line(/^ENTRYPOINT (.*)$/m)),
    command: JSON.parse(line(/^CMD (.*)$/m)),
    healthCheck: JSON.parse(line(/^HEALTHCHECK .* CMD (.*)$/m)),
  };
}

/** Whether this process may have a root and mounts of its own. */
export function canEnterRoots(): boolean {
  const isRoot = process.getuid?.() === 0;
  const canEnter = isRoot && spawnSync('unshare', ['--mount', 'chroot', '/', '/bin/true']).status === 0;
  return isPossible(canEnter, 'root, and unshare with mounts of its own');
}

/** The root of the image: made by the script of the Dockerfile, of the packed package and what is installed beside it. */
export interface CleanRoot extends Disposable {
  readonly folder: string;
  /** A shell command line that runs what follows it in the root, as a container would: its own mounts, all read-only but the data. */
  readonly enter: string;
}

export function makeCleanRoot({ user, workdir }: Pick<ImageSettings, 'user' | 'workdir'>): CleanRoot {
  const place = mkdtempSync(join(tmpdir(), 'waybill-root-'));
  const [app, folder, data] = ['app', 'root', 'data'].map((name) => join(place, name));
  if (app === undefined || folder === undefined || data === undefined) throw new Error('three names are three folders');
  const { unpacked } = packedWaybill();
  mkdirSync(app);
  installInto(app, unpacked, 'waybill');
  for (const name of Object.keys(manifestIn(unpacked).peerDependencies ?? {})) installPeer(app, name);
  execFileSync('sh', [join(ROOT, 'deploy/image/make-root.sh'), process.execPath, app, folder]);
  // As the volume that a container gets: with the owner that the image gave it.
  cpSync(join(folder, 'data'), data, { recursive: true });
  execFileSync('chown', [user, data]);
  for (const name of ['dev', 'proc']) mkdirSync(join(folder, name));
  const script = join(place, 'enter.sh');
  writeFileSync(script, enterScript({ folder, data, user, workdir }));
  return {
    folder,
    enter: `unshare --mount sh ${script}`,
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  };
}

function enterScript({
  folder,
  data,
  user,
  workdir,
}: Readonly<Record<'folder' | 'data' | 'user' | 'workdir', string>>): string {
  const [owner, group] = user.split(':');
  return `set -eu
mount --bind ${folder} ${folder}
mount --bind ${data} ${folder}/data
mount --rbind /dev ${folder}/dev
mount -t proc proc ${folder}/proc
mount -o remount,bind,ro ${folder}
exec nsenter --root=${folder} --wd=${folder}${workdir} --setgid=${group} --setuid=${owner} -- "$@"
`;
}

/** With what it depends on, which is in the root already where another package brought it. */
function installPeer(app: string, name: string): void {
  const [from, to] = [ROOT, app].map((place) => join(place, 'node_modules', name));
  if (from === undefined || to === undefined || existsSync(to)) return;
  mkdirSync(join(to, '..'), { recursive: true });
  cpSync(from, to, { recursive: true });
  for (const dependency of Object.keys(manifestIn(from).dependencies ?? {})) installPeer(app, dependency);
}
