import { expect, onTestFinished, test, vi } from 'vitest';
import { token } from '../../cli/token.ts';
import { hashLimitedToken } from '../../resources/callers.ts';
import { bootstrap } from '../../resources/bootstrap.ts';
import { makeSource } from '../../resources/sources.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { stillClock } from '../support/still-clock.ts';

const SOURCE = 'workspaces/main/sources/web';

async function printed(args: readonly string[]): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await token.run(args);
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

test('CFG-26: waybill token create limits a token to what is named, and list shows it', async () => {
  const folder = newFolder();
  const storage = await openStorage(`file:${folder}`, new RecordingLog());
  await bootstrap({ store: storage.resources, clock: stillClock(() => 0), token: 'first-token', workspace: 'main' });
  await storage.resources.create('sources', makeSource({ name: SOURCE }, 'workspaces/main', 0));
  await storage.close();
  const place = ['--data-dir', folder];
  const plaintext = (await printed(['create', '--source', SOURCE, ...place])).trim();
  expect(await printed(['list', ...place])).toContain(`  ${SOURCE}  `);
  await expect(printed(['create', '--destination', `${SOURCE}/destinations/gone`, ...place])).rejects.toThrow(
    'does not exist; name it in full',
  );
  await expect(printed(['list', '--source', SOURCE, ...place])).rejects.toThrow('are for create');
  const again = await openStorage(`file:${folder}`, new RecordingLog());
  onTestFinished(() => again.close());
  const stored = await again.resources.tokenByHash(hashLimitedToken(plaintext));
  expect(stored).toMatchObject({ resource_names: [SOURCE], workspace_names: ['workspaces/main'] });
});
