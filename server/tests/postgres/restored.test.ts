import { expect, test } from 'vitest';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { renumberRestored } from '../../storage/postgres/deliveries/restored.ts';
import { NOW } from '../conformance/delivery-store-events.ts';
import { postgresNodes } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

/** As a server wrote them that had begun more transactions: more than are renumbered at a time, and some of one transaction. */
const RESTORED = `
  INSERT INTO commits (id, xact, at, fingerprints)
    SELECT n, ((1000000000000 + n / 3)::text)::xid8, ${NOW}, decode(lpad(to_hex(n), 24, '0'), 'hex') FROM generate_series(1, 25000) n;
  INSERT INTO commits (id, at, fingerprints) VALUES (25001, ${NOW}, decode(repeat('f', 24), 'hex'));
  INSERT INTO nodes (id, name, epoch, router, version, started_at, over_at, horizon)
    VALUES (1, 'restored', 1, 'r', 'v', 0, 0, '1000000000000')`;
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
});
