import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Claimed } from '../../storage/delivery-storage.ts';
import { NotAMember, OutcomeUnknown } from '../../storage/errors.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { StatementEnded, StatementRefused } from '../../storage/postgres/connection/failures.ts';
import { reads, script, writes } from '../../storage/postgres/connection/statement.ts';
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
/** As an event that the server cannot read, or one that takes it too long. */
const refusing = (code: string): string => `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.destination = (SELECT id FROM names WHERE name = '${REFUSED}') THEN RAISE EXCEPTION USING ERRCODE = '${code}'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse BEFORE INSERT ON tries FOR EACH ROW EXECUTE FUNCTION refuse();
`;
/** The connections that wait for a lock end, as with their server. */
const CUT = reads(
  '',
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%look AS MATERIALIZED%'",
);
/** A server tells of a failure before it lets go of what the statement had locked, which the next look passes over. */
const UNLOCKED = writes('', 'SELECT id FROM queue FOR UPDATE SKIP LOCKED');
const LETTING = 'DROP TRIGGER refuse ON tries; DROP FUNCTION refuse';

/** All of them at once. */
function look(verbs: Verbs): Promise<PromiseSettledResult<Claimed>[]> {
  const due = { which: 'due', now: NOW, limit: 1, bytes: SMALL } as const;
  return Promise.allSettled(DESTINATIONS.map((destination) => verbs.claim({ ...due, destination })));
}

/** How many looks have gone to the database. */
function counting(): { readonly looks: () => number; readonly spoil: (own: Database) => Database } {
  let looks = 0;
  const spoil = (own: Database): Database => ({
    ...own,
    run: (statement, values) => {
      if (statement.name.startsWith('claim_due')) looks += 1;
      return own.run(statement, values);
    },
  });
  return { looks: () => looks, spoil };
}

/** For each destination something waits, due at once. */
async function wait(verbs: Verbs): Promise<void> {
  const routes = DESTINATIONS.map((destination) => ({ destination, claimed: false }));
  await verbs.accept(batchOf([{ message: message('m1'), routes }]));
}

describeWithPostgres('looks at what is due', () => {
  const kept = keptPlaces(stillPlace);

  test('many destinations that are tried again at once share a commit, a large look has one to itself', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const { looks, spoil } = counting();
    const { verbs } = await nodes.open('one', { spoil });
    await verbs.join({ now: NOW });
    await wait(verbs);
    const due = { which: 'due', now: NOW, limit: 1 } as const;
    const large = 2 * 2 ** 20;
    const asked = DESTINATIONS.map((destination, at) =>
      verbs.claim({ ...due, destination, bytes: at === 0 ? large : SMALL }),
    );
    expect((await Promise.all(asked)).map(({ claims }) => ids(claims))).toEqual(DESTINATIONS.map(() => ['m1']));
    expect(looks()).toBe(2);
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

  test.for([
    ['that the server refuses', 'P0001', StatementRefused],
    ['that takes too long', '57014', StatementEnded],
    ['that the server cannot read', 'XX001', StatementEnded],
  ] as const)('SAFE-2: others do not fail again with one %s', async ([, code, failure]) => {
    await using nodes = await postgresNodes(NOW, kept());
    const { looks, spoil } = counting();
    const { verbs } = await nodes.open('one', { spoil });
    await verbs.join({ now: NOW });
    await wait(verbs);
    await nodes.superuser.run(script(refusing(code)));
    const first = await look(verbs);
    await expect.poll(() => nodes.superuser.run(UNLOCKED)).toHaveLength(DESTINATIONS.length);
    const [second, apart] = [await look(verbs), looks()];
    await expect.poll(() => nodes.superuser.run(UNLOCKED)).toHaveLength(1);
    const third = await look(verbs);
    await nodes.superuser.run(script(LETTING));
    expect(first.map(reasonOf)).toEqual(DESTINATIONS.map(() => expect.any(failure)));
    expect(second.map(reasonOf)).toEqual(DESTINATIONS.map(() => undefined).toSpliced(AT, 1, expect.any(failure)));
    expect(third.map(reasonOf)).toEqual(second.map(reasonOf));
    // One with all, one of each; afterwards that of the one, and those of all others together, from where they begin and whole.
    expect([apart, looks()]).toEqual([1 + DESTINATIONS.length, 1 + DESTINATIONS.length + 3]);
  });

  test('SAFE-2: what fails since the database is away shares a statement again once it is back', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const { looks, spoil } = counting();
    const { verbs } = await nodes.open('one', { spoil });
    await verbs.join({ now: NOW });
    await wait(verbs);
    const failing = await nodes.superuser.transaction(async (queries) => {
      await queries.run(script('LOCK TABLE queue'));
      const asked = look(verbs);
      await expect.poll(() => looks()).toBe(1);
      await expect.poll(() => nodes.superuser.run(CUT)).not.toEqual([]);
      return asked;
    });
    expect(failing.map(reasonOf)).toEqual(DESTINATIONS.map(() => expect.any(OutcomeUnknown)));
    expect((await look(verbs)).map(reasonOf)).toEqual(DESTINATIONS.map(() => undefined));
    expect(looks()).toBe(2);
  });
});

function reasonOf(one: PromiseSettledResult<unknown>): unknown {
  return one.status === 'rejected' ? one.reason : undefined;
}
