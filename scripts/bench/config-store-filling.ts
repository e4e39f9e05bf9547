import { join } from 'node:path';
import { issueToken } from '../../server/resources/access-tokens.ts';
import { makeSource } from '../../server/resources/sources.ts';
import { makeWorkspace } from '../../server/resources/workspaces.ts';
import type { Creation } from '../../server/storage/config-store.ts';
import { openConfigStore } from '../../server/storage/file/resources/config-store.ts';

export interface Size {
  readonly workspaces: number;
  /** In all; shared evenly by the workspaces. */
  readonly sources: number;
}

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Fills the store of a data folder as the API would: workspaces `w0`…, each with sources `s0`…, and a token for all. */
export async function fillConfigStore(dataDir: string, { workspaces, sources }: Size, token: string): Promise<void> {
  const [store, now] = [await openConfigStore({ folder: join(dataDir, 'config'), log: SILENT }), Date.now()];
  await store.create(
    'access-tokens',
    issueToken({ description: 'bench', scopes: 'workspace' }, now, undefined, token).stored,
  );
  await each(workspaces, (index) => store.create('workspaces', makeWorkspace({ name: `workspaces/w${index}` }, now)));
  await each(sources, (index) => {
    const parent = `workspaces/w${index % workspaces}`;
    const name = `${parent}/sources/s${Math.trunc(index / workspaces)}`;
    const source = { name, catalog_name: 'catalog/sources/javascript', labels: { team: 'shop' } };
    return store.create('sources', makeSource(source, parent, now));
  });
  await store.close();
}

/** All at once: creates of one file that wait together share a write. */
async function each(count: number, make: (index: number) => Promise<Creation>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, (_empty, index) => make(index)));
  const refused = answers.find((answer) => answer !== 'created');
  if (refused !== undefined) throw new Error(`a create was refused: ${refused}`);
}
