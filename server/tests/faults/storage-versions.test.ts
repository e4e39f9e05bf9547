import { expect, onTestFinished, test } from 'vitest';
import { openDirectory } from '../../directory/directory.ts';
import { StaleRouting } from '../../storage/errors.ts';
import { Memory } from '../../storage/memory/memory.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { source, workspace } from '../support/config-resources.ts';
import { newFolder } from '../support/delivery-world.ts';
import { messageOf } from '../support/engine.ts';
import { newEvaluation } from '../support/evaluation.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { batchOf } from '../support/memory-storage.ts';
import { stillClock } from '../support/still-clock.ts';

const MAIN = 'workspaces/main';

test('D-13: a data folder takes what was routed by the version that the directory has, and by no other', async () => {
  const storage = await openStorage(`file:${newFolder()}`, new RecordingLog());
  onTestFinished(() => storage.close());
  const directory = await openDirectory(storage.resources, newEvaluation());
  let ids = 0;
  const accept = (version: number): Promise<unknown> => {
    const message = messageOf({ now: () => 0 }, { messageId: `m${(ids += 1)}` });
    return storage.deliveries.accept({ ...batchOf([{ message, routes: [] }]), version });
  };
  await accept(directory.version(MAIN));
  await storage.resources.create('workspaces', workspace('main'));
  await accept(directory.version(MAIN));
  const [before] = [directory.version(MAIN), await storage.resources.create('sources', source('main', 'js'))];
  expect(directory.version(MAIN)).toBeGreaterThan(before);
  await expect(accept(before)).rejects.toThrow(StaleRouting);
  await accept(directory.version(MAIN));
  await storage.resources.remove('workspaces', MAIN);
  await accept(directory.version(MAIN));
});

test('NODE-5: what an older version routed is refused once the router has heard of the newer one, and not before', async () => {
  const memory = new Memory({ clock: stillClock(() => 0), hearLater: () => undefined });
  const [node, other] = [memory.open('one'), memory.open('other')];
  const directory = await openDirectory(node.resources, newEvaluation());
  await other.resources.create('workspaces', workspace('main'));
  await other.resources.create('sources', source('main', 'js'));
  expect(directory.version(MAIN)).toBe(0);
  await expect(node.accept({ ...batchOf([]), version: 0 })).rejects.toThrow(StaleRouting);
  expect(directory.version(MAIN)).toBeGreaterThan(0);
  await node.accept({ ...batchOf([]), version: directory.version(MAIN) });
  await other.resources.remove('workspaces', MAIN);
  await expect(node.accept({ ...batchOf([]), version: directory.version(MAIN) })).rejects.toThrow(StaleRouting);
  await node.accept({ ...batchOf([]), version: directory.version(MAIN) });
});

test('a storage of an unknown scheme is refused', async () => {
  await expect(openStorage('mysql://db', new RecordingLog())).rejects.toThrow('of the form postgres://');
});
