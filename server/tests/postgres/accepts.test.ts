import { expect, test } from 'vitest';
import { OutcomeUnknown, StaleRouting } from '../../storage/errors.ts';
import { LEASE_MS } from '../../storage/members.ts';
import { script, writes } from '../../storage/postgres/connection/statement.ts';
import {
  A,
  accepted,
  firstOf,
  ids,
  message,
  NOW,
  postponed,
  queues,
  recordOf,
} from '../conformance/delivery-store-events.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { batchOf } from '../support/memory-storage.ts';
import { committingLate, losingAnswers, postgresNodes, stillPlace } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

const SLOT = 600_000;
const HOUR = 3_600_000;
/** A moment at which a slot of message ids begins. */
const BEGIN = NOW - (NOW % SLOT);
const VERSION = writes('version', "INSERT INTO config_versions VALUES ('workspaces/main', 7)");

/** As of transactions 95 to 104, each of which has commits for a fifth of a page. */
const NUMBERED_AROUND_100 = script(`
  WITH numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM commits)
  UPDATE commits c SET xact = (94 + n)::text::xid8 FROM numbered WHERE numbered.id = c.id;
  INSERT INTO commits (id, at, fingerprints, xact)
  SELECT -n, now_ms(), '', (95 + n % 10)::text::xid8 FROM generate_series(1, 2000) n;
`);

/** Once 500 deliveries are stored, the next cannot be. */
const FAILS_IN_THE_MIDDLE = `
CREATE FUNCTION fail_in_the_middle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM queue) >= 500 THEN RAISE EXCEPTION 'failed in the middle'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER in_the_middle BEFORE INSERT ON queue FOR EACH ROW EXECUTE FUNCTION fail_in_the_middle();
`;

describeWithPostgres('accepts of several routers', () => {
  const kept = keptPlaces(stillPlace);

  test('D-43: of two routers that accept the same messages at once, each message is taken by one', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const [one, two] = [await nodes.open('one'), await nodes.open('two')];
    const names = Array.from({ length: 60 }, (_, index) => `m${index}`);
    const orders = [names, names.toReversed(), [...names.slice(30), ...names.slice(0, 30)]];
    const answers = await Promise.all(
      orders.flatMap((order) =>
        [one, two].map(async ({ verbs }) => {
          const answer = await verbs.accept(batchOf(order.map((id) => accepted(id, false))));
          return order.filter((_, index) => answer[index] !== 'duplicate');
        }),
      ),
    );
    expect(answers.flat().toSorted()).toEqual(names.toSorted());
    expect(await queues(one.verbs)).toMatchObject([{ waiting: 60 }]);
  });

  test('D-43: an id is known on both sides of the boundary of two slots, and to the end of the second', async () => {
    await using nodes = await postgresNodes(BEGIN + SLOT - 5, kept());
    const one = await nodes.open('one');
    await one.verbs.accept(batchOf([accepted('before', false)]));
    // This router has not heard of it, nor has the next.
    const [two, three] = [await nodes.open('two'), await nodes.open('three')];
    await one.verbs.accept(batchOf([accepted('just before', false)]));
    await nodes.advance(10);
    expect(await two.verbs.accept(batchOf([accepted('just before', false), accepted('new', false)]))).toEqual([
      'duplicate',
      [],
    ]);
    await nodes.advance(450_000);
    expect(await three.verbs.accept(batchOf([accepted('new', false), accepted('just before', false)]))).toEqual([
      'duplicate',
      'duplicate',
    ]);
  });

  test('D-43: what another router accepted an hour ago is known, also to one that has just started', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const [one, two] = [await nodes.open('one'), await nodes.open('two')];
    await one.verbs.accept(batchOf([accepted('m1', false)]));
    for (let passed = 0; passed < HOUR; passed += SLOT / 2) {
      await nodes.advance(SLOT / 2);
      await nodes.emptySlot();
    }
    const fresh = await nodes.open('three');
    for (const { verbs } of [one, two, fresh]) {
      expect(await verbs.accept(batchOf([accepted('m1', false), accepted(`m${Math.random()}`, false)]))).toEqual([
        'duplicate',
        [],
      ]);
    }
  });

  test('D-43: a router that starts knows all that was accepted, whatever the numbers of its transactions', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const one = await nodes.open('one');
    const names = Array.from({ length: 10 }, (_, index) => `m${index}`);
    for (const name of names) await one.verbs.accept(batchOf([accepted(name, false)]));
    await nodes.superuser.run(NUMBERED_AROUND_100);
    for (let passed = 0; passed < HOUR; passed += SLOT / 2) {
      await nodes.advance(SLOT / 2);
      await nodes.emptySlot();
    }
    const fresh = await nodes.open('fresh');
    const again = await fresh.verbs.accept(batchOf([...names, 'new'].map((name) => accepted(name, false))));
    expect(again).toEqual([...names.map(() => 'duplicate'), []]);
  });

  test('D-43: slots are emptied in turn, and never those that are looked at', async () => {
    await using nodes = await postgresNodes(BEGIN, kept());
    const one = await nodes.open('one');
    const stored: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await one.verbs.accept(batchOf([accepted(`m${turn}`, false)]));
      await nodes.advance(SLOT / 2);
      await nodes.emptySlot();
      stored.push(await nodes.count('seen'));
      await nodes.advance(SLOT / 2);
    }
    // Of the turn itself, and of the one before: that router looked there too, as it had not heard of all of it.
    expect(stored.slice(2)).toEqual([3, 3, 3]);
  });

  test('HOOK-19: an event for a thousand destinations is one commit, of which a failure in the middle leaves nothing', async () => {
    await using nodes = await postgresNodes(NOW);
    const one = await nodes.open('one');
    await one.verbs.join({ now: NOW });
    const routes = Array.from({ length: 1_000 }, (_, index) => ({ destination: `${A}-${index}`, claimed: index < 8 }));
    const wide = batchOf([{ message: message('wide'), routes }]);
    await nodes.superuser.run(script(FAILS_IN_THE_MIDDLE));
    await expect(one.verbs.accept(wide)).rejects.toThrow('in the middle');
    for (const table of ['messages', 'queue', 'tries', 'commits', 'seen']) expect(await nodes.count(table)).toBe(0);
    await nodes.superuser.run(script('DROP TRIGGER in_the_middle ON queue'));

    const [claims] = await one.verbs.accept(wide);
    expect(claims).toHaveLength(8);
    expect([await nodes.count('messages'), await nodes.count('queue'), await nodes.count('tries')]).toEqual([
      1, 992, 8,
    ]);
    const transactions =
      '(SELECT xmin::text FROM messages UNION SELECT xmin::text FROM queue UNION SELECT xmin::text FROM tries) t';
    expect(await nodes.count(transactions)).toBe(1);
  });

  test('NODE-6: an accept whose answer was lost after the commit answers the same when it is asked again', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const one = await nodes.open('one', { spoil: losingAnswers('accept') });
    await one.verbs.join({ now: NOW });
    const known = batchOf([accepted('known', false)]);
    await expect(one.verbs.accept(known)).rejects.toThrow(OutcomeUnknown);
    expect(await one.verbs.accept(known)).toEqual([[]]);
    const batch = batchOf([accepted('m1', true), accepted('known', true), accepted('m2', true)]);
    await expect(one.verbs.accept(batch)).rejects.toThrow(OutcomeUnknown);
    const answer = await one.verbs.accept(batch);
    expect(answer).toMatchObject([[{ message: message('m1') }], 'duplicate', [{ message: message('m2') }]]);
    const { held } = await one.verbs.held({ limit: 9 });
    expect(held.map(({ delivery }) => delivery)).toEqual(
      answer.flatMap((claims) => (claims === 'duplicate' ? [] : claims)).map(({ delivery }) => delivery),
    );
    expect(await nodes.count('messages')).toBe(3);
  });

  test('NODE-6: an accept that never came is stored when it is asked again', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const one = await nodes.open('one', { spoil: losingAnswers('accept', 'before') });
    await one.verbs.join({ now: NOW });
    const batches = ['m1', 'm2'].map((id) => batchOf([accepted(id, true)]));
    const first = await Promise.allSettled(batches.map((batch) => one.verbs.accept(batch)));
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await Promise.all(batches.map((batch) => one.verbs.accept(batch)))).toMatchObject([
      [[{ round: 1 }]],
      [[{ round: 1 }]],
    ]);
    expect(await nodes.count('messages')).toBe(2);
  });

  test.each(['after', 'before'] as const)(
    'NODE-6: what rounds did counts once, and is told so, when the answer was lost %s the commit',
    async (when) => {
      await using nodes = await postgresNodes(NOW, kept());
      const one = await nodes.open('one', { spoil: losingAnswers('record', when) });
      await one.verbs.join({ now: NOW });
      const answer = await one.verbs.accept(batchOf([accepted('m1', true), accepted('m2', true)]));
      const [first, second] = answer.map(firstOf);
      if (first === undefined || second === undefined) throw new Error('nothing was accepted');
      const rounds = [recordOf(first, { state: 'delivered' }), recordOf(second, postponed(NOW + 9))];
      await expect(one.verbs.record(rounds)).rejects.toThrow(OutcomeUnknown);
      expect((await one.verbs.record(rounds)).refused).toEqual([]);
      // From then on it is a late report as any other.
      expect((await one.verbs.record(rounds)).refused).toEqual([0, 1]);
      expect(await one.verbs.counts({ destination: A, from: NOW, to: NOW + 1 })).toContainEqual({
        hour: NOW,
        what: 'delivered',
        count: 1,
      });
      expect(await queues(one.verbs)).toMatchObject([{ waiting: 1, nextDueAt: NOW + 9 }]);
    },
  );

  test('NODE-1: what commits after its node was reaped is held by nobody, and waits again', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const [done, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const one = await nodes.open('one', { spoil: committingLate('accept', gate.promise, done.resolve) });
    const two = await nodes.open('two');
    await one.verbs.join({ now: NOW });
    const accepting = one.verbs.accept(batchOf([accepted('m1', true)]));
    await done.promise;
    await nodes.advance(LEASE_MS);
    await two.verbs.join({ now: nodes.now() });
    expect(await two.verbs.reap({ now: nodes.now() })).toBe(0);
    gate.resolve();
    const [claims] = await accepting;
    expect((await one.verbs.record([recordOf(firstOf(claims), { state: 'delivered' })])).refused).toEqual([0]);
    expect(await two.verbs.reap({ now: nodes.now() })).toBe(1);
    expect(await queues(two.verbs)).toMatchObject([{ waiting: 1, nextDueAt: nodes.now() }]);
  });

  test('what lives that are over left is looked for until nothing of their time is under way, and then no more', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const [one, two] = [await nodes.open('one'), await nodes.open('two')];
    for (const { verbs } of [one, two]) await verbs.join({ now: NOW });
    await nodes.advance(LEASE_MS);
    await two.verbs.beat();
    const over = (): Promise<number> => nodes.count("nodes WHERE over_at IS NOT NULL AND name = 'one'");
    await two.verbs.reap({ now: nodes.now() });
    await two.verbs.reap({ now: nodes.now() });
    expect(await over()).toBe(1);
    await nodes.advance(31_000);
    // What is under way in other databases of the server counts as well.
    const left = (): Promise<number> => two.verbs.reap({ now: nodes.now() }).then(over);
    await expect.poll(left).toBe(0);
  });

  test('64 callers of single events share their commits', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const one = await nodes.open('one');
    let next = 0;
    const caller = async (): Promise<void> => {
      for (let call = 0; call < 10; call += 1) await one.verbs.accept(batchOf([accepted(`m${(next += 1)}`, false)]));
    };
    await Promise.all(Array.from({ length: 64 }, caller));
    expect(640 / (await nodes.count('commits'))).toBeGreaterThanOrEqual(20);
  });

  test('D-63: of what is gathered, only what was routed by an older configuration is refused', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const one = await nodes.open('one');
    await nodes.database.run(VERSION);
    const [old, current, elsewhere] = await Promise.allSettled([
      one.verbs.accept({ ...batchOf([accepted('m1', false)]), version: 6 }),
      one.verbs.accept({ ...batchOf([accepted('m2', false)]), version: 7 }),
      one.verbs.accept({ ...batchOf([accepted('m3', false)]), workspace: 'workspaces/other', version: 0 }),
    ]);
    expect(old).toMatchObject({ status: 'rejected', reason: expect.any(StaleRouting) });
    expect([current, elsewhere]).toMatchObject([{ value: [[]] }, { value: [[]] }]);
    // The same message, routed anew, is no duplicate.
    expect(await one.verbs.accept({ ...batchOf([accepted('m1', false)]), version: 7 })).toEqual([[]]);
    expect(await nodes.count('messages')).toBe(3);
  });

  test('the same message in two requests at once is stored once, also when the first is refused', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const one = await nodes.open('one');
    await nodes.database.run(VERSION);
    const answers = await Promise.allSettled([
      one.verbs.accept({ ...batchOf([accepted('m1', false)]), version: 6 }),
      one.verbs.accept({ ...batchOf([accepted('m1', false)]), version: 7 }),
      one.verbs.accept({ ...batchOf([accepted('m1', false)]), version: 7 }),
    ]);
    expect(answers[0]).toMatchObject({ status: 'rejected' });
    const stored = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    expect([stored.length, stored.filter((claims) => claims === 'duplicate').length]).toEqual([2, 1]);
  });

  test('a character that the database cannot hold is no reason to refuse a message', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const one = await nodes.open('one');
    await one.verbs.join({ now: NOW });
    const odd = { ...accepted('m1', true) };
    const event = { ...odd.message.event, event: 'a\u0000b', userId: '\u0000\ud800' };
    await one.verbs.accept(batchOf([{ ...odd, message: { ...odd.message, event } }]));
    await one.verbs.join({ now: NOW });
    const { claims } = await one.verbs.claim({ which: 'due', destination: A, now: NOW, limit: 1 });
    expect([ids(claims), claims[0]?.message.event]).toEqual([['m1'], event]);
  });
});
