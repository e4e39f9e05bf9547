import { expect, onTestFinished, test } from 'vitest';
import { beginAtOnce } from '../../jobs/start-jobs.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { FaultyDisk } from '../support/config-disk.ts';
import { audience, computedTrait, source, workspace } from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const MAIN = 'main';

test('AUD-4: what is new or another is computed at once, and nothing else asks for a run', async () => {
  const config = await openConfigStore({ folder: '/config', disk: new FaultyDisk(), log: new RecordingLog() });
  onTestFinished(() => config.close());
  await config.create('workspaces', workspace('main'));
  const looked: string[] = [];
  await beginAtOnce(config, { look: (kind) => looked.push(kind) });
  await config.create('sources', source(MAIN, 'js'));
  expect(looked).toEqual([]);
  const made = audience(MAIN, 'pro');
  await config.create('audiences', made);
  expect(looked).toEqual(['audiences']);
  await config.create('computed-traits', computedTrait(MAIN, 'spent'));
  await config.update('audiences', made.name, (one) => ({ ...one, display_name: 'Professionals' }));
  expect(looked).toEqual(['audiences', 'audiences', 'audiences']);
});
