import { expect, test } from 'vitest';
import type { Definition } from '../../model/definition.ts';
import { cursorAfter } from '../../jobs/sync-cursor.ts';
import type { SyncCursor } from '../../model/sync.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { syncResource } from '../../resources/computed-syncs.ts';
import { HOUR, SOURCE } from '../support/audience-world.ts';
import { settledWorld } from '../support/started-audience-world.ts';
import { filter } from '../support/config-resources.ts';

const MINUTE = 60_000;
const FIRST = `${SOURCE}/destinations/webhooks`;
const BOUGHT: Definition = { events: { where: "event = 'Bought'" } };

test('AUD-3: a sync counts whom filters and suppressions leave out at each destination', async () => {
  const world = await settledWorld();
  const second = await world.addDestination('second', 'https://two.test/');
  const dropping = { ...filter(FIRST, 'df_1'), if: "userId = 'u1'", actions: [{ type: 'drop_event' as const }] };
  await world.store.resources.create('filters', dropping);
  const name = await world.audience('buyers', BOUGHT, [FIRST, second]);
  for (const userId of ['u1', 'u2', 'u3']) await world.send({ userId });
  await world.regulate('Suppress', 'u2');
  await world.advance(MINUTE);
  const shown = async () => (await world.syncs(name)).map(syncResource);
  expect(await shown()).toMatchObject([{ entered: 3, sent: 3, left_out: 3 }]);
  await world.advance(3 * HOUR);
  expect(await shown()).toMatchObject([{ sent: 0, left_out: 3 }, {}]);
});

test('AUD-3: who is left out counts once, also where a destination that was told ahead begins anew with another process', async () => {
  let pages = 1;
  let isFull = true;
  const world = await settledWorld({
    spoil: ({ tellings, profiles }) => {
      const waiting: typeof tellings.waiting = async (query) =>
        isFull && query.destination === FIRST ? query.limit : tellings.waiting(query);
      const tell: typeof tellings.tell = async (request) => {
        if (isFull && pages === 0) throw new Error('the process is gone');
        pages -= 1;
        return tellings.tell(request);
      };
      return { profiles, tellings: Object.assign(Object.create(tellings), { waiting, tell }) };
    },
  });
  const second = await world.addDestination('second', 'https://two.test/');
  const dropping = { ...filter(second, 'df_1'), if: 'all', actions: [{ type: 'drop_event' as const }] };
  await world.store.resources.create('filters', dropping);
  const name = await world.audience('buyers', BOUGHT, [FIRST, second]);
  // More than a page.
  for (let user = 0; user < 350; user += 1) await world.send({ userId: `u${user}` });
  await world.advance(20_000);
  expect(await world.syncs(name)).toMatchObject([{ state: 'RUNNING', cursor: { leftOut: 200 } }]);
  isFull = false;
  await world.restartJobs();
  await world.advance(MINUTE);
  expect((await world.syncs(name)).map(syncResource)).toMatchObject([{ sent: 350, left_out: 350, state: 'DONE' }]);
});

test('AUD-3: who is left out counts once, also where the answer of what was told is lost', async () => {
  let pages = 0;
  const world = await settledWorld({
    spoil: ({ tellings, profiles }) => {
      // The second is told ahead: how far, no sync says.
      const waiting: typeof tellings.waiting = async (query) =>
        pages < 3 && query.destination === FIRST ? query.limit : tellings.waiting(query);
      const tell: typeof tellings.tell = async (request) => {
        pages += 1;
        const answer = await tellings.tell(request);
        if (pages === 2) throw new OutcomeUnknown('the connection is gone');
        return answer;
      };
      return { profiles, tellings: Object.assign(Object.create(tellings), { waiting, tell }) };
    },
  });
  const second = await world.addDestination('second', 'https://two.test/');
  const dropping = { ...filter(second, 'df_1'), if: 'all', actions: [{ type: 'drop_event' as const }] };
  await world.store.resources.create('filters', dropping);
  const name = await world.audience('buyers', BOUGHT, [FIRST, second]);
  // More than two pages.
  for (let user = 0; user < 450; user += 1) await world.send({ userId: `u${user}` });
  await world.advance(MINUTE);
  expect((await world.syncs(name)).map(syncResource)).toMatchObject([{ sent: 450, left_out: 450, state: 'DONE' }]);
});

test('AUD-3: a destination that begins anew counts anew, and who was held back and is compared once more is not counted', () => {
  let cursor: SyncCursor = { destinations: [FIRST, 'second'] };
  const counted = (destination: string, leftOutBefore: number, upTo: string | undefined, leftOut: number) => {
    cursor = cursorAfter(cursor, { destination, leftOutBefore, upTo, leftOut });
    return cursor.leftOut;
  };
  expect([counted(FIRST, 0, 'd', 2), counted('second', 0, 'b', 1), counted(FIRST, 2, 'e', 3)]).toEqual([2, 3, 6]);
  // Another process goes on where the first stands, and not with the second.
  expect([counted('second', 0, 'c', 2), counted(FIRST, 5, undefined, 1)]).toEqual([7, 8]);
  // Whom the second had come to was erased.
  expect([counted('second', 0, undefined, 1), counted(FIRST, 0, undefined, 9)]).toEqual([7, 7]);
  expect(cursor).toEqual({ destinations: [], leftOut: 7 });
  const page = { destination: FIRST, leftOutBefore: 0, upTo: 'a', leftOut: 0 };
  expect(cursorAfter({ destinations: [FIRST] }, page)).toEqual({
    destinations: [FIRST],
    after: 'a',
  });
});
