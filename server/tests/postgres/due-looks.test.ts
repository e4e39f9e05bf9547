import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { NotAMember } from '../../storage/errors.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { StatementRefused } from '../../storage/postgres/connection/failures.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { A, ids, message, NOW } from '../conformance/delivery-store-events.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { batchOf } from '../support/memory-storage.ts';
import { postgresNodes, stillPlace } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

/** So many looks share a statement. */
const SMALL = 32_768;
const DESTINATIONS = Array.from({ length: 40 }, (_, at) => `${A}-${at}`);

const AT = 7;
const REFUSED = DESTINATIONS[AT] ?? '';
/** As an event that the server cannot read. */
const refusing = (destination: string): string => `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.destination = (SELECT id FROM names WHERE name = '${destination}') THEN RAISE EXCEPTION 'refused'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse BEFORE INSERT ON tries FOR EACH ROW EXECUTE FUNCTION refuse();
`;

/** For each destination something waits, due at once. */
async function wait(verbs: Verbs): Promise<void> {
  const routes = DESTINATIONS.map((destination) => ({ destination, claimed: false }));
  await verbs.accept(batchOf([{ message: message('m1'), routes }]));
}

describeWithPostgres('looks at what is due', () => {
  const kept = keptPlaces(stillPlace);

  test('many destinations that are tried again at once share a commit, a large look has one to itself', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    let looks = 0;
    const counting = (own: Database): Database => ({
      ...own,
      run: (statement, values) => {
        if (statement.name.startsWith('claim_due')) looks += 1;
        return own.run(statement, values);
      },
    });
    const { verbs } = await nodes.open('one', { spoil: counting });
    await verbs.join({ now: NOW });
    await wait(verbs);
    const due = { which: 'due', now: NOW, limit: 1 } as const;
    const large = 2 * 2 ** 20;
    const asked = DESTINATIONS.map((destination, at) =>
      verbs.claim({ ...due, destination, bytes: at === 0 ? large : SMALL }),
    );
    expect((await Promise.all(asked)).map(({ claims }) => ids(claims))).toEqual(DESTINATIONS.map(() => ['m1']));
    expect(looks).toBe(2);
  });

  test('what the server refuses for one destination it gives the others', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const { verbs } = await nodes.open('one');
    await verbs.join({ now: NOW });
    await wait(verbs);
    await nodes.superuser.run(script(refusing(REFUSED)));
    const answers = await Promise.allSettled(
      DESTINATIONS.map((destination) => verbs.claim({ which: 'due', destination, now: NOW, limit: 1, bytes: SMALL })),
    );
    await nodes.superuser.run(script('DROP TRIGGER refuse ON tries; DROP FUNCTION refuse'));
    const found = answers.map((answer) => (answer.status === 'fulfilled' ? ids(answer.value.claims) : answer.reason));
    expect(found.toSpliced(AT, 1)).toEqual(DESTINATIONS.toSpliced(AT, 1).map(() => ['m1']));
    expect(found[AT]).toBeInstanceOf(StatementRefused);
  });

  test('NODE-3: what was asked in a life that is over is not taken for the next, which knows nothing of it', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const held = Promise.withResolvers<void>();
    const holding = (own: Database): Database => ({
      ...own,
      run: async (statement, values) => {
        if (statement.name.startsWith('claim_due')) await held.promise;
        return own.run(statement, values);
      },
    });
    const { verbs } = await nodes.open('one', { spoil: holding });
    await verbs.join({ now: NOW });
    await wait(verbs);
    const due = { which: 'due', now: NOW, limit: 1, bytes: 2 * 2 ** 20 } as const;
    const asked = Promise.allSettled(
      DESTINATIONS.slice(0, 4).map((destination) => verbs.claim({ ...due, destination })),
    );
    await nextTurn();
    await verbs.join({ now: NOW });
    held.resolve();
    expect((await asked).map((one) => one.status === 'rejected' && one.reason instanceof NotAMember)).toEqual(
      Array.from({ length: 4 }, () => true),
    );
    expect(await nodes.count('tries')).toBe(0);
  });

  test('SAFE-2: those that failed together with one that always fails do not wait for it again', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    let refused = '';
    const slow = (own: Database): Database => ({
      ...own,
      run: (statement, values = []) =>
        statement.name.startsWith('claim_due') && String(values[2]).slice(1, -1).split(',').includes(refused)
          ? Promise.reject(new StoreUnavailable('it takes too long'))
          : own.run(statement, values),
    });
    const { verbs } = await nodes.open('one', { spoil: slow });
    await verbs.join({ now: NOW });
    await wait(verbs);
    const [row] = await nodes.database.run<{ id: number }>(reads('', 'SELECT id FROM names WHERE name = $1'), [
      REFUSED,
    ]);
    refused = String(row?.id);
    const look = () =>
      Promise.allSettled(
        DESTINATIONS.map((destination) => verbs.claim({ which: 'due', destination, now: NOW, limit: 1, bytes: SMALL })),
      );
    const [first, second] = [await look(), await look()];
    expect(first.every(({ status }) => status === 'rejected')).toBe(true);
    expect(second.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([AT]);
  });
});
