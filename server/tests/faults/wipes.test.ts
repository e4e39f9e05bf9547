import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Call } from '../../storage/file/deliveries/calls.ts';
import { openDatabase } from '../../storage/file/deliveries/database.ts';
import { flatAccept } from '../../storage/file/deliveries/flat-rows.ts';
import { openEngine, run } from '../../storage/file/deliveries/serve.ts';
import { DiskRoom } from '../../storage/file/disk-room.ts';
import { freeSpaceOf } from '../../storage/file/free-space/free-space.ts';
import { addJsonFunctions } from '../../storage/profiles/sqlite/dialect.ts';
import { createProfileOperations } from '../../storage/profiles/sqlite/operations.ts';
import { prepareProfiles } from '../../storage/profiles/sqlite/schema.ts';
import { caught, space as spaceOf } from '../conformance/profile-place.ts';
import { newFolder } from '../support/delivery-world.ts';
import { messageOf } from '../support/engine.ts';
import { batchOf } from '../support/memory-storage.ts';

const NOW = Date.UTC(2026, 0, 1);
const A = 'workspaces/main/sources/js/destinations/webhooks';

function accept(messageId: string): Call {
  const message = messageOf({ now: () => NOW }, { messageId });
  const acceptances = [{ message, routes: [{ destination: A, claimed: false }] }];
  return { name: 'accept', argument: flatAccept(batchOf(acceptances)).accept };
}

/** A deletion of users that has come to what is free in the file. */
const ERASING: Call = {
  name: 'eraseUsers',
  argument: { scope: 'workspaces/none', userIds: ['u'], now: NOW, after: 'free 1 1', limit: 500 },
};
const BACKLOG: Call = { name: 'countBacklog', argument: { destinations: [A], limit: 9 } };

test('NODE-6: where what is free cannot be overwritten, all else of the group is stored, and said to be', () => {
  const path = join(newFolder(), 'deliveries.sqlite');
  const engine = openEngine(path);
  onTestFinished(() => engine.database.close());
  // To be overwritten it is opened once more.
  rmSync(path);
  expect(run(engine, [accept('m1'), ERASING, BACKLOG])).toMatchObject({
    results: [{ deliveries: [[1]] }, { notStored: expect.stringContaining('ENOENT') }, { queues: [{ waiting: 1 }] }],
  });
  // Nothing of it is left for those who come next.
  expect(run(engine, [accept('m2'), BACKLOG])).toMatchObject({
    results: [{ deliveries: [[2]] }, { queues: [{ waiting: 2 }] }],
  });
});

test('SAFE-2: a deletion that learns of further ids of its users removes nothing yet, and reads no file whole', () => {
  const database = openDatabase(':memory:', prepareProfiles);
  onTestFinished(() => database.close());
  addJsonFunctions(database);
  const wiped: number[] = [];
  const space = { ...freeSpaceOf(database), pages: () => 9, wipe: (_from: number, count: number) => wiped.push(count) };
  const { operations } = createProfileOperations(database, space, new DiskRoom('.', database));
  const alias = caught(-3, { type: 'alias', userId: 'new', previousId: 'old' });
  operations.fold({ spaces: [spaceOf()], caught: [{ id: 1, ...alias }] });
  const workspace = 'workspaces/main';
  expect(operations.erase({ workspace, userIds: ['old'] })).toMatchObject({ unasked: ['new'] });
  expect(wiped).toEqual([]);
  expect(operations.erase({ workspace, userIds: ['old', 'new'] })).toMatchObject({ unasked: [], isMore: false });
  expect(wiped).toEqual([9]);
});
