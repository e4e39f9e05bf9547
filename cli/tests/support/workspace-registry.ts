import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/generate/root.ts';
import type { Needed } from '../../../scripts/release/lock.ts';
import { packFolder, tarballName } from '../../../scripts/release/pack.ts';
import { portOf } from '../../../server/tests/support/raw-receiver.ts';

/** A registry for npm that has the packages of this workspace alone, and no network behind it. */
export interface WorkspaceRegistry extends AsyncDisposable {
  readonly url: string;
}

export async function startRegistry(packages: readonly Needed[]): Promise<WorkspaceRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-registry-'));
  const tarballs = new Map(packages.map((each) => [tarballName(each), each]));
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(url.slice(1));
    const tarball = tarballs.get(path.replace('-/', ''));
    const versions = packages.filter(({ name }) => name === path);
    if (tarball !== undefined) response.end(tarballOf(tarball, folder));
    else if (versions.length > 0)
      response.end(JSON.stringify(documentOf(versions, `http://127.0.0.1:${portOf(server)}`)));
    // Of optional peers npm asks what there is, and installs none.
    else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

/** What npm asks a registry for of a package. */
function documentOf(versions: readonly Needed[], url: string): object {
  const [{ name }] = [...versions, { name: '' }];
  const all = versions.map((each) => {
    const manifest: object = JSON.parse(readFileSync(join(ROOT, each.path, 'package.json'), 'utf8'));
    return [each.version, { ...manifest, dist: { tarball: `${url}/-/${tarballName(each)}` } }];
  });
  return { name, 'dist-tags': { latest: versions[0]?.version }, versions: Object.fromEntries(all) };
}

function tarballOf(needed: Needed, folder: string): Buffer {
  const tarball = join(folder, tarballName(needed));
  if (!existsSync(tarball)) {
    const [from, copy] = [join(ROOT, needed.path), `${tarball}.unpacked`];
    // Packing sets modes: not those of the workspace.
    cpSync(from, copy, { recursive: true, dereference: true, filter: (path) => path !== join(from, 'node_modules') });
    packFolder(copy, tarball, new Date(0));
  }
  return readFileSync(tarball);
}
