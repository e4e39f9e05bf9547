import { expect, test } from 'vitest';
import type { Accepted, AcceptRequest } from '../../storage/delivery-storage.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { script, type Statement } from '../../storage/postgres/connection/statement.ts';
import { accepted, message, NOW } from '../conformance/delivery-store-events.ts';
import { batchOf } from '../support/memory-storage.ts';
import { systemClock } from '../../system-clock.ts';
import { losingAnswers, type OpenNode, postgresNodes, type Spoil } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

/** As acceptance does it. */
function askedAgain({ verbs }: OpenNode, batch: AcceptRequest): Promise<Accepted> {
  return verbs.accept(batch).catch((error: unknown) => {
    if (error instanceof OutcomeUnknown) return verbs.accept(batch);
    throw error;
  });
}

/** The answer to the first accept is lost, once `until` has resolved; `begun` is told of it before. */
function losingLate(begun: () => void, until: Promise<void>): Spoil {
  let accepts = 0;
  return (database) => ({
    ...database,
    async run<Row>(statement: Statement, values?: readonly unknown[]) {
      const isFirst = statement.name === 'accept' && (accepts += 1) === 1;
      const rows = await database.run<Row>(statement, values);
      if (!isFirst) return rows;
      begun();
      await until;
      throw new OutcomeUnknown('the answer was lost');
    },
  });
}

/** The second try of an accept is turned away. */
function turningAway(): Spoil {
  const losing = losingAnswers('accept');
  let tries = 0;
  return (database) => {
    const own = losing(database);
    return {
      ...own,
      run<Row>(statement: Statement, values?: readonly unknown[]) {
        if (statement.name === 'accept_wary' && (tries += 1) === 1)
          throw new StoreUnavailable('there is no connection');
        return own.run<Row>(statement, values);
      },
    };
  };
}

/** What the database stores of one message and no other. */
const REFUSES_ONE = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.event LIKE '%refused%' THEN RAISE EXCEPTION 'not this one'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuses_one BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION refuse();
`;

describeWithPostgres('accepts whose answer was lost', () => {
  test('NODE-6: are known again, however many came while they were under way', async () => {
    await using nodes = await postgresNodes(NOW);
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const spoil = losingLate(begun.resolve, gate.promise);
    const one = await nodes.open('one', { clock: systemClock, spoil });
    await one.verbs.join({ now: NOW });
    const answer = askedAgain(one, batchOf([accepted('m1', true)]));
    await begun.promise;
    for (let round = 0; round < 5; round += 1) {
      const others = Array.from({ length: 500 }, (_, index) => batchOf([accepted(`other ${round} ${index}`, false)]));
      await Promise.all(others.map((batch) => one.verbs.accept(batch)));
    }
    gate.resolve();
    expect(await answer).toMatchObject([[{ message: message('m1') }]]);
  });

  test('NODE-6: stay unknown while the database cannot be asked', async () => {
    await using nodes = await postgresNodes(NOW);
    const one = await nodes.open('one', { spoil: turningAway() });
    await one.verbs.join({ now: NOW });
    const batch = batchOf([accepted('m1', true)]);
    await expect(askedAgain(one, batch)).rejects.toThrow(OutcomeUnknown);
    expect(await one.verbs.accept(batch)).toMatchObject([[{ message: message('m1') }]]);
    expect(await nodes.count('messages')).toBe(1);
  });

  test('NODE-6: are known again where others that came with them were refused', async () => {
    await using nodes = await postgresNodes(NOW);
    await nodes.superuser.run(script(REFUSES_ONE));
    const one = await nodes.open('one', { spoil: losingAnswers('accept') });
    await one.verbs.join({ now: NOW });
    // From here on names are known, and what comes together is stored together.
    await askedAgain(one, batchOf([accepted('m0', false)]));
    const [refused, answer] = await Promise.allSettled(
      ['refused', 'm1'].map((id) => askedAgain(one, batchOf([accepted(id, true)]))),
    );
    expect([refused, answer]).toMatchObject([
      { status: 'rejected', reason: { message: expect.stringContaining('not this one') } },
      { status: 'fulfilled', value: [[{ message: message('m1') }]] },
    ]);
    expect(await nodes.count('messages')).toBe(2);
  });
});
