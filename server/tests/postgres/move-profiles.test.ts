import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databaseSource } from '../../storage/move/database-source.ts';
import { databaseTarget } from '../../storage/move/database-target.ts';
import { folderSource } from '../../storage/move/folder-source.ts';
import { folderTarget } from '../../storage/move/folder-target.ts';
import { moveStorage } from '../../storage/move/move-storage.ts';
import type { MoveSource, MoveTarget, Using } from '../../storage/move/moving.ts';
import type { Caught } from '../../storage/inbox.ts';
import type { Storage } from '../../storage/storage.ts';
import { caught, EVERYBODY, measure, measured, space } from '../conformance/profile-place.ts';
import { newFolder } from '../support/delivery-world.ts';
import { eventOf } from '../support/engine.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { batchOf } from '../support/memory-storage.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import { withStorage } from '../support/with-storage.ts';

const log = new RecordingLog();
const [AUDIENCE, TRAIT] = ['workspaces/main/audiences/aud_1', 'workspaces/main/computed-traits/tra_1'];
const MEASURES = (['amounts', 'values', 'ends'] as const).map((kind) =>
  measure(kind, "event = 'Bought'", 'properties.of'),
);
const [TOTALS = measure('amounts', '')] = MEASURES;
const SPACE = space(...MEASURES);
const USERS = ['ada', 'bob', 'é', '\u{1F600}', 'old'];

describeWithPostgres('moving profiles', () => {
  test('AUD-6: profiles, tiles and what runs found are the same in another storage, and go on there', async () => {
    await using place = await postgresPlace();
    const [folder, back] = [newFolder(), newFolder()];
    await fill(`file:${folder}`);
    const before = await shownBy(`file:${folder}`);
    expect(before.profiles).toHaveLength(USERS.length);
    const killed = move(folderSource(folder, log), databaseTarget(place.url, log), 12);
    await expect(killed).rejects.toThrow('killed');
    const { counts } = await move(folderSource(folder, log), databaseTarget(place.url, log));
    expect(counts).toMatchObject({
      users: 5,
      anonymous: 3,
      links: 3,
      moved: 1,
      amounts: 6,
      traits: 2,
      results: 9,
      inbox: 1,
    });
    expect(await shownBy(place.url)).toEqual(before);
    await expect(move(databaseSource(place.url), folderTarget(back), 12)).rejects.toThrow('killed');
    await move(databaseSource(place.url), folderTarget(back));
    expect(await shownBy(`file:${back}`)).toEqual(before);
    const after = await Promise.all([folder, back].map((one) => goOn(`file:${one}`)));
    expect([await goOn(place.url), after[1]]).toEqual([after[0], after[0]]);
  });

  test('a storage without profiles has none in a folder that it is moved to', async () => {
    await using place = await postgresPlace();
    const [folder, back] = [newFolder(), newFolder()];
    await withStorage(`file:${folder}`, async () => undefined);
    await move(folderSource(folder, log), databaseTarget(place.url, log));
    await move(databaseSource(place.url), folderTarget(back));
    expect([folder, back].map((one) => existsSync(join(one, 'profiles.sqlite')))).toEqual([false, false]);
  });
});

function move(from: Using<MoveSource>, to: Using<MoveTarget>, writes = Infinity) {
  return from((source) => to((target) => moveStorage(source, dying(target, writes), 2)));
}

/** Ends as a killed process does, before one of its writes. */
function dying(target: MoveTarget, writes: number): MoveTarget {
  let left = writes;
  return {
    ...target,
    write: (...values) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed')) : target.write(...values);
    },
  };
}

async function tell({ deliveries }: Storage, ...events: readonly Omit<Caught, 'id'>[]): Promise<void> {
  const acceptances = events.map(({ source, caught: json }, index) => {
    const message = { source, receivedAt: 0, event: eventOf(0, { messageId: `${json} ${index}` }) };
    return { message, routes: [], caught: json };
  });
  await deliveries.accept(batchOf(acceptances));
}

function bought(at: number, userId: string, of: unknown): Omit<Caught, 'id'> {
  return caught(at, { event: 'Bought', userId, properties: { of } });
}

/** Two runs, and one event that is not folded yet. */
async function fill(place: string): Promise<void> {
  await withStorage(place, async (storage) => {
    await tell(
      storage,
      ...USERS.map((user, index) => bought(-9 - index, user, index % 2 === 0 ? index + 0.5 : `item ${index}`)),
      caught(-8, { event: 'Bought', anonymousId: 'device', properties: { of: 1 } }),
      caught(-8, { type: 'identify', anonymousId: 'device', userId: 'ada', traits: { plan: 'pro', n: [1, '"'] } }),
      caught(-7, { anonymousId: 'other', userId: 'é' }),
    );
    await run(storage, 1);
    await tell(storage, caught(-6, { type: 'alias', previousId: 'old', userId: 'bob' }));
    await run(storage, 2);
    await tell(storage, bought(-5, 'ada', 7));
  });
}

async function run({ profiles }: Storage, number: number): Promise<void> {
  await profiles.fold({ spaces: async () => [SPACE], limit: 100 });
  const to = { space: SPACE.id, run: number };
  await profiles.compute({ ...to, computation: AUDIENCE, of: { members: EVERYBODY } });
  await profiles.compute({ ...to, computation: TRAIT, of: { values: measured(TOTALS, 'sum') } });
}

function shownBy(place: string) {
  return withStorage(place, async ({ profiles }) => {
    const measures = MEASURES.map(({ id }) => id);
    const shown = USERS.map((user) => profiles.profile({ space: SPACE.id, user, measures }));
    const runs = [1, 2].flatMap((number) =>
      [AUDIENCE, TRAIT].map((computation) => ({ computation, run: number, limit: 9 })),
    );
    const results = runs.map((query) => profiles.results(query));
    return { profiles: await Promise.all(shown), results: await Promise.all(results) };
  });
}

/** What waited is folded, somebody new comes, and a third run sees both. */
function goOn(place: string) {
  return withStorage(place, async (storage) => {
    await tell(
      storage,
      caught(-4, { event: 'Bought', userId: 'new', anonymousId: 'new device', properties: { of: 2 } }),
    );
    await run(storage, 3);
    return storage.profiles.results({ computation: TRAIT, limit: 9 });
  });
}
