import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Kind } from '../../model/resources.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { createKeyring, NO_KEYS } from '../../storage/secrets/keyring.ts';
import { faultyRealDisk } from '../support/config-disk.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import {
  checkFact,
  CONFIG_STORE_FACTS,
  configStoreConformance,
  type ConfigStorePlace,
  withVerb,
} from './config-store.ts';

async function openLowdb(
  spoil: (store: ConfigStore) => ConfigStore = (store) => store,
  keyring = NO_KEYS,
): Promise<ConfigStorePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-'));
  const disk = faultyRealDisk();
  const opened: ConfigStore[] = [];
  const open = async (): Promise<ConfigStore> => {
    const store = await openConfigStore({ folder, disk, log: new RecordingLog(), keyring });
    opened.push(store);
    return spoil(store);
  };
  return {
    store: await open(),
    reopen: open,
    refuseWrites: (refuse) => {
      disk.refusal = refuse ? new Error('ENOSPC: no space left on device') : undefined;
    },
    end: async () => {
      // A fact that fails leaves writes under way, which would bring files back.
      for (const store of opened) await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

configStoreConformance('lowdb', () => openLowdb(), ['other']);

const KEYRING = createKeyring([Buffer.alloc(32, 1)]);
configStoreConformance('lowdb with secrets encrypted', () => openLowdb((store) => store, KEYRING), ['other']);

/** The facts that fail when one verb of a good engine is replaced. */
async function factsThatFail(spoil: (store: ConfigStore) => ConfigStore): Promise<string[]> {
  const failed: string[] = [];
  for (const fact of CONFIG_STORE_FACTS.filter(({ needs }) => needs !== 'other')) {
    await checkFact(fact, () => openLowdb(spoil)).catch(() => failed.push(fact.title));
  }
  return failed;
}

test('the suite catches an engine that ignores the removal check', async () => {
  const failed = await factsThatFail((store) =>
    withVerb(store, { remove: (kind, name, _check, author) => store.remove(kind, name, undefined, author) }),
  );
  expect(failed).toEqual([
    'a removal check sees siblings and what stands below',
    'a removal check that throws keeps everything',
    'concurrent removals cannot both see the other as left',
  ]);
});

test('the suite catches an engine that has room for everything', async () => {
  const failed = await factsThatFail((store) =>
    withVerb(store, {
      create: (kind, resource, _most, ...rest) => store.create(kind, resource, undefined, ...rest),
    }),
  );
  expect(failed).toEqual(['of concurrent creates no more take place than there is room for']);
});

test('the suite catches an engine that stores what is created as it was given', async () => {
  const failed = await factsThatFail((store) =>
    withVerb(store, {
      create: (kind, resource, most, _fit, author) => store.create(kind, resource, most, undefined, author),
    }),
  );
  expect(failed).toEqual([
    'what is created is fitted to what stands in its workspace, one creation after the other',
    'a creation that is refused by what stands leaves nothing',
  ]);
});

test('the suite catches an engine that forgets who changed something', async () => {
  const failed = await factsThatFail((store) =>
    withVerb(store, { update: (kind, name, change) => store.update(kind, name, change) }),
  );
  expect(failed).toEqual([
    'CFG-16, D-10: a write key that a workspace had goes to no tenant of another one',
    'CFG-27: a change that has an author is stored with an entry, and no other is',
    'CFG-27: entries are there after a kill, as they were, in their order and with the last change',
    'CFG-27: of too many entries the oldest are gone, after a kill too',
    'CFG-27: a change that cannot be written leaves no entry, and the next one has its own',
  ]);
});

test('the suite catches an engine that forgets when a workspace was removed', async () => {
  const failed = await factsThatFail((store) =>
    withVerb(store, { remove: (kind, name, check) => store.remove(kind, name, check) }),
  );
  expect(failed).toContain(
    'CFG-16, D-87: when a workspace was removed is kept at the root until there is one of its name again',
  );
});

test('the suite catches an engine that keeps entries for ever', async () => {
  const failed = await factsThatFail((store) =>
    withVerb(store, {
      create: (kind, resource, most, fit, author) =>
        store.create(kind, resource, most, fit, author && { ...author, create_time: '2026-05-01T00:00:00.000Z' }),
    }),
  );
  expect(failed).toContain('CFG-27: entries that are too old go with the next one, and those of a workspace with it');
});

test('the suite catches an engine that answers before the write', async () => {
  const failed = await factsThatFail((store) =>
    withVerb(store, {
      create: async (kind, resource) => {
        store.create(kind, resource).catch(() => undefined);
        return 'created';
      },
    }),
  );
  expect(failed).toContain('D-13: every kind is there after the process was killed');
  expect(failed).toContain('what could not be written can be asked for again');
});

test('the suite catches an engine that pages by position', async () => {
  const everything = { after: 0, limit: 10_000 };
  const failed = await factsThatFail((store) =>
    withVerb(store, {
      list: async <K extends Kind>(kind: K, parent: string, { after, limit }: { after: number; limit: number }) =>
        (await store.list(kind, parent, everything)).slice(after, after + limit),
    }),
  );
  expect(failed).toContain('CFG-6: a page holds what comes after a row, up to its limit');
});
