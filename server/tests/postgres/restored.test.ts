import { expect, test } from 'vitest';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { renumberRestored } from '../../storage/postgres/deliveries/restored.ts';
import { systemClock } from '../../system-clock.ts';
import { accepted, NOW } from '../conformance/delivery-store-events.ts';
import { batchOf } from '../support/memory-storage.ts';
import { postgresNodes } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

/** As a server wrote them that had begun more transactions: more than are renumbered at a time, and some of one transaction. */
const RESTORED = `
  INSERT INTO commits (id, xact, at, fingerprints)
    SELECT n, ((1000000000000 + n / 3)::text)::xid8, ${NOW}, decode(lpad(to_hex(n), 24, '0'), 'hex') FROM generate_series(1, 25000) n;
  INSERT INTO commits (id, at, fingerprints) VALUES (25001, ${NOW}, decode(repeat('f', 24), 'hex'));
  INSERT INTO nodes (id, name, epoch, router, version, started_at, over_at, horizon)
    VALUES (1, 'restored', 1, 'r', 'v', 0, 0, '1000000000000')`;
/** As a dump of before the first event, under a router that goes on. */
const PUT_BACK = `
  ALTER TABLE commits RENAME TO commits_before;
  CREATE TABLE commits (LIKE commits_before INCLUDING ALL);
  GRANT SELECT, INSERT, UPDATE, DELETE ON commits TO PUBLIC;
  DROP TABLE commits_before;
  TRUNCATE seen, messages, queue`;
const FUTURE = 'commits WHERE xact >= pg_snapshot_xmax(pg_current_snapshot())';
const OWN = reads('own_commit', 'SELECT xact::text AS xact FROM commits WHERE id = 25001');

describeWithPostgres('what was restored of another server', () => {
  test('D-43: has transaction ids of this server once a router has started, and what is its own stays', async () => {
    await using nodes = await postgresNodes(NOW);
    await nodes.superuser.run(script(RESTORED));
    const own = await nodes.database.run(OWN);
    expect(await nodes.count(FUTURE)).toBe(25_000);
    const one = await nodes.open('one');
    expect([await nodes.count(FUTURE), await nodes.count('commits'), await nodes.database.run(OWN)]).toEqual([
      0,
      25_001,
      own,
    ]);
    expect(await nodes.count('nodes WHERE horizon IS NOT NULL')).toBe(0);
    await one.close();
  });

  test('is renumbered by two routers that start at once', async () => {
    await using nodes = await postgresNodes(NOW);
    await nodes.superuser.run(script(RESTORED));
    await Promise.all([renumberRestored(nodes.database), renumberRestored(nodes.database)]);
    expect([await nodes.count(FUTURE), await nodes.count('commits')]).toEqual([0, 25_001]);
  });

  test('NODE-1: under a router is noticed by it, and what is stored no more is no duplicate when it is sent again', async () => {
    await using nodes = await postgresNodes(NOW);
    const { verbs } = await nodes.open('one', { clock: systemClock });
    const again = () => verbs.accept(batchOf([accepted('m1', false)]));
    await verbs.join({ now: NOW });
    expect([await again(), await again()]).toEqual([[[]], ['duplicate']]);
    await nodes.superuser.run(script(PUT_BACK));
    await expect.poll(() => verbs.beat(), { timeout: 5_000 }).toBeUndefined();
    await verbs.join({ now: NOW });
    expect([await again(), await nodes.count('messages')]).toEqual([[[]], 1]);
  });
});
