import { fenceOf } from '../support/memory-storage.ts';
import { expect, test } from 'vitest';
import { source, workspace } from '../support/config-resources.ts';
import {
  MAIN,
  newPlace,
  openWorld,
  type RegulationWorld,
  withSources,
  type WorldOptions,
} from '../support/regulation-world.ts';

const [A, B, OFF] = [`${MAIN}/sources/a`, `${MAIN}/sources/b`, `${MAIN}/sources/off`];

async function startWorld(options?: WorldOptions): Promise<RegulationWorld> {
  const world = await openWorld(newPlace(), options);
  await withSources(world);
  return world;
}

test('HOOK-16: a deletion emits one delete for each source with webhooks enabled', async () => {
  const world = await startWorld();
  await world.regulate('Delete', ['u1']);
  await world.runner.idle();
  expect(world.sent()).toEqual([`${A} delete u1`, `${B} delete u1`]);
});

test('HOOK-16: each user of a request is told of, to each source', async () => {
  const world = await startWorld();
  const ids = Array.from({ length: 1_201 }, (_, index) => `u${index}`);
  await world.regulate('Delete', ids);
  await world.runner.idle();
  expect(new Set(world.sent())).toEqual(new Set([A, B].flatMap((from) => ids.map((id) => `${from} delete ${id}`))));
  expect(world.sent()).toHaveLength(2 * ids.length);
});

test.each(['Suppress', 'Unsuppress', 'Delete_Internal'] as const)('HOOK-16: %s tells no webhook', async (type) => {
  const world = await startWorld();
  await world.regulate(type, ['u1']);
  await world.runner.idle();
  expect(world.sent()).toEqual([]);
});

test('AUD-9: a deletion removes what names its users from the last events that were dropped, in its scope', async () => {
  const world = await startWorld();
  const [reason, receivedAt] = ['bad_request', '2026-11-20T11:00:00.000Z'] as const;
  const texts = ['of u1', 'u12', 'u1-2', 'order (u1)'];
  for (const from of [A, B])
    world.dropped.add(
      from,
      new Map([[reason, texts.length]]),
      texts.map((event) => ({ reason, receivedAt, event })),
    );
  await world.regulateIn(A, 'Delete', ['u1', '11']);
  await world.runner.idle();
  expect(world.dropped.lastOf(A).map(({ event }) => event)).toEqual(['u12']);
  expect(world.dropped.of(A).get(reason)).toBe(texts.length);
  expect(world.dropped.lastOf(B)).toHaveLength(texts.length);
});

test('D-12: a regulation ends as FINISHED, and so does each source', async () => {
  const world = await startWorld();
  const name = await world.regulate('Suppress_With_Delete', ['u1']);
  expect(await world.config.get('regulations', name)).toMatchObject({
    overall_status: 'INITIALIZED',
    source_status: [],
  });
  await world.runner.idle();
  const finished = { status: 'FINISHED' };
  expect(await world.config.get('regulations', name)).toMatchObject({
    overall_status: 'FINISHED',
    finish_time: '2026-11-20T12:00:00.000Z',
    source_status: ['a', 'b', 'off', 'none'].map((slug) => ({ source_name: `${MAIN}/sources/${slug}`, ...finished })),
  });
});

test.each(['Delete', 'Delete_Internal', 'Suppress_With_Delete'] as const)(
  'D-12: %s deletes what is stored of its users, and nothing else',
  async (type) => {
    const world = await startWorld();
    await world.ingest(A, { userId: 'u1' }, { userId: 'u2' }, { type: 'alias', previousId: 'u1', userId: 'u3' });
    await world.ingest(B, { userId: 'u1' }, { userId: 'u4' });
    await world.regulate(type, ['u1']);
    await world.runner.idle();
    const told = type === 'Delete_Internal' ? [] : ['u1'];
    expect(await world.logged(A)).toEqual(['u2', ...told]);
    expect(await world.logged(B)).toEqual(['u4', ...told]);
    for (const { message } of world.dispatcher.claims.filter((claim) => claim.message.event.type === 'delete')) {
      expect(message.event.userId).toBe('u1');
    }
  },
);

test('D-12: the newest message stays as an empty shell, so that its number is not given again', async () => {
  const world = await startWorld();
  await world.ingest(A, { userId: 'u1', properties: { secret: 'shh' } });
  await world.regulate('Delete_Internal', ['u1']);
  await world.runner.idle();
  expect(await world.logged(A)).toEqual(['']);
  const [shell] = (await world.deliveries.list({ destination: `${A}/destinations/webhooks`, filter: {}, limit: 1 }))
    .deliveries;
  expect(shell).toMatchObject({ state: 'cancelled', userId: '', event: '' });
});

test('D-12: attempts go with their message, also those recorded later', async () => {
  const world = await startWorld();
  await world.ingest(A, { userId: 'u1' }, { userId: 'u2' });
  const [claim] = world.dispatcher.claims;
  if (claim === undefined) throw new Error('nothing was claimed');
  await world.regulate('Delete_Internal', ['u1']);
  await world.runner.idle();
  const attempt = {
    webhook: 'https://a.test',
    number: 0,
    startedAt: 0,
    durationMs: 1,
    excerpt: 'hello u1',
    rule: 'temporary_failure_is_retried',
  } as const;
  const { delivery, destination } = claim;
  const failed = { ...attempt, outcome: 'first_byte_timeout' } as const;
  const verdict = { state: 'pending', dueAt: 0, setAt: 0, closed: [], tries: 1 } as const;
  await world.deliveries.record([
    { ...fenceOf(claim), destination, endedAt: 1, ageMs: 1, attempts: [failed], verdict },
  ]);
  expect(await world.deliveries.read({ destination: destination, delivery: delivery })).toBeUndefined();
  expect(await world.logged(A)).toEqual(['u2']);
});

test('D-12: a deletion leaves the delete events of an earlier one alone', async () => {
  const world = await startWorld();
  await world.regulate('Delete', ['u1']);
  await world.regulate('Delete', ['u1']);
  await world.runner.idle();
  expect(await world.logged(A)).toEqual(['u1', 'u1']);
});

test('D-12: a large store is looked through bit by bit', async () => {
  const world = await startWorld();
  const events = Array.from({ length: 1_300 }, (_, index) => ({ userId: index % 3 === 0 ? 'u1' : 'u2' }));
  await world.ingest(A, ...events);
  await world.regulate('Delete_Internal', ['u1']);
  await world.runner.idle();
  expect(new Set(await world.logged(A))).toEqual(new Set(['u2', '']));
});

test('D-12: the ids of a deletion that is over are forgotten too', async () => {
  const world = await startWorld();
  const deleted = await world.regulate('Delete', ['u1']);
  const suppressed = await world.regulate('Suppress', ['u1']);
  await world.runner.idle();
  expect(await world.config.get('regulations', deleted)).toMatchObject({ user_ids: [] });
  expect(await world.config.get('regulations', suppressed)).toMatchObject({ user_ids: ['u1'] });
});

test('D-30: webhooks that are off are told nothing, and their source is done', async () => {
  const world = await startWorld();
  const name = await world.regulate('Delete', ['u1']);
  await world.runner.idle();
  expect(await world.logged(OFF)).toEqual([]);
  expect(await world.config.get('regulations', name)).toMatchObject({ overall_status: 'FINISHED' });
});

test('D-12: a regulation that was cancelled before its turn does nothing', async () => {
  const world = await startWorld();
  const name = await world.regulate('Delete', ['u1'], false);
  await world.config.remove('regulations', name);
  world.runner.look('regulations');
  await world.runner.idle();
  expect(world.sent()).toEqual([]);
});

test('D-12: the users of all deletions that wait are erased in one walk, those of a source and what comes later in others', async () => {
  const world = await startWorld();
  for (const userId of ['u1', 'u2', 'u3', 'u4', 'kept']) await world.ingest(A, { userId });
  const names = [
    await world.regulate('Delete', ['u1'], false),
    await world.regulateIn(A, 'Delete_Internal', ['u2'], false),
    await world.regulate('Suppress_With_Delete', ['u3'], false),
    await world.regulate('Suppress', ['kept'], false),
    await world.regulate('Delete_Internal', ['u4', 'u1'], false),
  ];
  const walks = (): (readonly string[])[] =>
    world.erasures.filter(({ after }) => after === undefined).map(({ userIds }) => userIds);
  world.runner.look('regulations');
  await world.runner.idle();
  expect(walks()).toEqual([['u1', 'u3', 'u4'], ['u2']]);
  expect(await world.logged(A)).toEqual(expect.arrayContaining(['kept']));
  expect((await world.logged(A)).filter((id) => ['u2', 'u4'].includes(id))).toEqual([]);
  expect(
    world
      .sent()
      .filter((sent) => sent.includes('delete'))
      .toSorted(),
  ).toEqual(['u1', 'u3'].flatMap((id) => [A, B].map((from) => `${from} delete ${id}`)).toSorted());
  for (const name of names)
    expect(await world.config.get('regulations', name)).toMatchObject({ overall_status: 'FINISHED' });
  await world.ingest(A, { userId: 'u4' });
  await world.regulate('Delete_Internal', ['u4']);
  await world.runner.idle();
  expect(walks()).toHaveLength(3);
  expect(await world.logged(A)).not.toContain('u4');
});

test('D-12: workspaces take turns: a deletion waits for one of another workspace, however many that has', async () => {
  const world = await startWorld();
  const other = 'workspaces/other';
  await world.config.create('workspaces', workspace('other'));
  for (const slug of ['one', 'two', 'three']) {
    await world.config.create('sources', source('main', slug));
    await world.regulateIn(`${MAIN}/sources/${slug}`, 'Delete_Internal', ['u1'], false);
  }
  await world.regulateIn(other, 'Delete_Internal', ['u1'], false);
  await world.regulateIn(other, 'Delete_Internal', ['u2'], false);
  world.runner.look('regulations');
  await world.runner.idle();
  const walks = world.erasures.filter(({ after }) => after === undefined).map(({ scope }) => scope);
  expect(walks).toEqual([`${MAIN}/sources/one`, other, `${MAIN}/sources/two`, `${MAIN}/sources/three`]);
});

test('D-12: many deletions that wait are erased in walks of some five thousand users', async () => {
  const world = await startWorld();
  for (let index = 0; index < 4; index += 1) {
    const ids = Array.from({ length: 2_500 }, (_, user) => `u${index}-${user}`);
    await world.regulate('Delete_Internal', ids, false);
  }
  world.runner.look('regulations');
  await world.runner.idle();
  const walks = world.erasures.filter(({ after }) => after === undefined);
  expect(walks.map(({ userIds }) => userIds.length)).toEqual([5_000, 5_000]);
});

test.each([MAIN, A])(
  'a deletion in %s removes events of an id with half of a pair, which storages hold otherwise',
  async (of) => {
    const world = await startWorld();
    const broken = 'u\ud800';
    await world.ingest(A, { userId: broken }, { userId: 'u2' });
    await (of === MAIN
      ? world.regulate('Delete_Internal', [broken])
      : world.regulateIn(of, 'Delete_Internal', [broken]));
    await world.runner.idle();
    expect(await world.logged(A)).not.toContain(broken.toWellFormed());
    expect(await world.logged(A)).toContain('u2');
  },
);

test('AUD-9: a deletion removes what a database has stored of an id with the character 0, also once it is in a folder', async () => {
  const world = await startWorld();
  await world.ingest(A, { userId: 'u\uFFFD' }, { userId: 'u2' });
  await world.regulate('Delete_Internal', ['u\0']);
  await world.runner.idle();
  expect(await world.logged(A)).toEqual(['u2']);
});

/** A world whose workspace has many sources more, without webhooks; and how often a regulation was written. */
async function withManySources(count: number) {
  const world = await openWorld(newPlace());
  await withSources(world);
  for (let at = 0; at < count; at += 1) await world.config.create('sources', source('main', `s${at}`));
  const written = { times: 0 };
  await world.config.watch(({ changes }) => {
    if (changes.some(({ kind }) => kind === 'regulations')) written.times += 1;
  });
  written.times = 0;
  return { world, written };
}

test('SAFE-2: in a workspace with many sources, what became of a regulation is written a few times, not for each source', async () => {
  const { world, written } = await withManySources(120);
  const name = await world.regulate('Suppress_With_Delete', ['u1']);
  await world.runner.idle();
  expect(await world.config.get('regulations', name)).toMatchObject({ overall_status: 'FINISHED' });
  expect(world.sent().filter((line) => line.includes('delete'))).toHaveLength(2);
  expect(written.times).toBeLessThan(10);
});
