import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Erasure } from '../../jobs/erasure.ts';
import type { Acceptance } from '../../model/delivery.ts';
import type { Event } from '../../model/message.ts';
import { openDatabase } from '../../storage/file/deliveries/database.ts';
import { openSqliteStorage, type SqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { type FileProfiles, openFileProfiles } from '../../storage/file/profiles/file-profiles.ts';
import { A, NOW, recordOf } from '../conformance/delivery-store-events.ts';
import { EVERYBODY, measure, space } from '../conformance/profile-place.ts';
import { started, telling, tellOf, toldOf } from '../conformance/telling-events.ts';
import { newFolder } from '../support/delivery-world.ts';
import { messageOf } from '../support/engine.ts';
import { batchOf } from '../support/memory-storage.ts';
import { createUndecided } from '../../losses/undecided.ts';
import { replayMade } from '../support/replay-made.ts';

const WORKSPACE = 'workspaces/main';
const SPACE = space(measure('values', "event = 'Bought'", 'properties.item'));
const AUDIENCE = `${WORKSPACE}/audiences/aud_1`;

/** Of each third person the events do not fit into a page of the file. */
const PEOPLE = 1_500;
const PADDING = 'x'.repeat(9_000);
const everybody = Array.from({ length: PEOPLE }, (_one, person) => person);
const erased = everybody.filter((person) => person % 40 === 7);

interface World {
  readonly folder: string;
  readonly store: SqliteStorage;
  readonly profiles: FileProfiles;
}

test('AUD-9: after an erasure no file of the data folder has an id of the users, in any spelling', async () => {
  const world = await fill();
  expect(traces(world)).not.toEqual([]);
  await erase(world);
  expect(traces(world)).toEqual([]);
  await Promise.all([world.store.close(), world.profiles.close()]);
  for (const file of ['deliveries.sqlite', 'profiles.sqlite']) {
    using database = openDatabase(join(world.folder, file), () => undefined, { readOnly: true });
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  }
  await showsTheOthers(await open(world.folder));
}, 60_000);

/** Ids that JSON, and those that UTF-8, spell otherwise. */
function idsOf(person: number): readonly [string, string] {
  return [`user "${person * 7_919}" of many`, `früher-${person * 7_907}-anders`];
}

async function open(folder: string): Promise<World> {
  const store = await openSqliteStorage(join(folder, 'deliveries.sqlite'));
  onTestFinished(() => store.close());
  const profiles = await openFileProfiles(join(folder, 'profiles.sqlite'), store);
  onTestFinished(() => profiles.close());
  await store.join({ now: NOW });
  return { folder, store, profiles };
}

/** Rows are written, moved and removed as they are in the life of a router: by no order of the ids, with some gone before. */
async function fill(): Promise<World> {
  const world = await open(newFolder());
  const { store, profiles } = world;
  for (let from = 0; from < PEOPLE; from += 100) await accept(world, everybody.slice(from, from + 100), 'first');
  await profiles.compute({ space: SPACE.id, computation: AUDIENCE, run: 1, of: { members: EVERYBODY } });
  const sync = await started(store);
  await tellOf(
    store,
    sync,
    everybody.map((person) => telling(idsOf(person)[1], JSON.stringify({ of: idsOf(person)[0] }))),
  );
  await store.purge({ endedBefore: NOW + 1, seenBefore: NOW, usedBefore: NOW, limit: 100 });
  await replayMade(store, {
    destination: A,
    filter: { userId: idsOf(7)[0] },
    dryRun: true,
    perSecond: 1,
    createdAt: NOW,
  });
  return world;
}

async function accept({ store, profiles }: World, people: readonly number[], which: string): Promise<void> {
  const claims = await store.accept(batchOf(people.flatMap((person) => acceptancesOf(person, which))));
  const all = claims.flatMap((one) => (one === 'duplicate' ? [] : one));
  await store.record(all.map((claim) => recordOf(claim, { state: 'delivered' })));
  await profiles.fold({ spaces: async () => [SPACE], limit: 1_000 });
}

function acceptancesOf(person: number, which: string): Acceptance[] {
  const [previousId, userId] = idsOf(person);
  const padding = person % 3 === 0 ? PADDING.slice(person) : '';
  const events: Partial<Event>[] = [
    { userId: previousId, event: 'Bought', properties: { padding, item: `${previousId} bought` } },
    { type: 'alias', userId, previousId, context: { padding } },
    {
      type: 'identify',
      userId,
      anonymousId: `device of ${userId}`,
      traits: { padding, mail: `${userId}@example.test` },
    },
  ];
  return events.map((fields, index) => {
    const message = messageOf({ now: () => NOW }, { messageId: `${which} ${person} ${index}`, ...fields });
    return { message, routes: [{ destination: A, claimed: true }], caught: JSON.stringify(message.event) };
  });
}

/** While others are written: what an erasure frees is used again within the same transaction. */
async function erase(world: World): Promise<void> {
  const { store, profiles } = world;
  const none = { all: [], get: () => undefined, keepsProfiles: false, neededFrom: () => [], preview };
  const computations = () => ({ space: SPACE, ...none });
  const directory = { workspaces: () => [WORKSPACE], computations, refresh: () => Promise.resolve() };
  const losses = { eraseItems: () => Promise.resolve() };
  const ports = {
    storage: store,
    profiles,
    losses,
    directory,
    clock: { now: () => NOW },
    undecided: createUndecided(),
  };
  const erasure = new Erasure(ports, {
    scope: WORKSPACE,
    userIds: erased.flatMap(idsOf),
    keep: () => Promise.resolve(),
  });
  const others = everybody.filter((person) => person % 99 === 0 && !erased.includes(person));
  for (let step = 0, isMore = true; isMore; step += 1) {
    const busy = store.getReplay({ destination: A, id: 0 });
    [isMore] = await Promise.all([erasure.step(), accept(world, others, `beside step ${step}`), busy]);
  }
}

/** As a directory answers. */
function preview() {
  return { historyFrom: '', at: () => EVERYBODY };
}

/** Of whom something is left, and in which file. */
function traces({ folder }: World): string[] {
  return readdirSync(folder).flatMap((file) => {
    const bytes = readFileSync(join(folder, file));
    const isThere = (id: string) => bytes.includes(id) || bytes.includes(JSON.stringify(id).slice(1, -1));
    return erased.flatMap((person) =>
      idsOf(person)
        .filter(isThere)
        .map((id) => `${file}: ${id}`),
    );
  });
}

async function showsTheOthers({ store, profiles }: World): Promise<void> {
  const others = everybody.filter((person) => !erased.includes(person)).map((person) => idsOf(person)[1]);
  expect((await toldOf(store)).map(({ user }) => user).toSorted()).toEqual(others.toSorted());
  const { sample } = await profiles.preview({ space: SPACE.id, members: EVERYBODY, sample: PEOPLE });
  expect(sample.toSorted()).toEqual(others.toSorted());
}
