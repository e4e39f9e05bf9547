import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWebhooks } from '../../destinations/kind.ts';
import { webhooksOf } from '../../destinations/webhooks-settings.ts';
import { holdsConfiguration } from '../../storage/file/open-file-storage.ts';
import { CONFIG_FOLDER } from '../../storage/file/private-files.ts';
import { createDisk } from '../../storage/file/resources/disk.ts';
import { LowConfigStore } from '../../storage/file/resources/low-config-store.ts';
import type { Keyring } from '../../storage/secrets/keyring.ts';
import { Versions } from '../../storage/versions.ts';
import { stderrLog } from '../command.ts';
import type { Host } from './destinations.ts';

/** Where the enabled webhooks of a data folder go. It is only read, and a router may use it. */
export async function webhookHostsIn(folder: string, keyring: Keyring): Promise<readonly Host[]> {
  if (!holdsConfiguration(folder)) return [];
  const config = join(folder, CONFIG_FOLDER);
  const names = new Set(readdirSync(config));
  const parts = { folder: config, names, disk: createDisk(), log: stderrLog, versions: new Versions(), keyring };
  const store = new LowConfigStore(parts);
  await store.load();
  const hosts: Host[] = [];
  await store.watch(
    ({ changes }) => {
      for (const { name, row } of changes) {
        if (row?.resource.enabled !== true || !isWebhooks(row.resource)) continue;
        const { webhooks } = webhooksOf(row.resource);
        hosts.push(...webhooks.map(({ url }) => ({ url: new URL(url), destination: name })));
      }
    },
    ['destinations'],
  );
  return hosts;
}
