import { expect, test } from 'vitest';
import type { Acceptance, Claim, RoundRecord } from '../../model/delivery.ts';
import { LEASE_MS } from '../../storage/members.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import type { Statement } from '../../storage/postgres/connection/statement.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { A, firstOf, ids, message, NOW, recordOf } from '../conformance/delivery-store-events.ts';
import { next as nextSync, started, telling, tellOf } from '../conformance/telling-events.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { batchOf } from '../support/memory-storage.ts';
import { committingLate, postgresNodes, stillPlace } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

const LINE = 7;

function inLine(...messageIds: readonly string[]): readonly Acceptance[] {
  return messageIds.map((id) => ({ message: message(id), routes: [{ destination: A, claimed: false, line: LINE }] }));
}

function delivered(claim: Claim): RoundRecord {
  return { ...recordOf(claim, { state: 'delivered' }), line: LINE };
}

async function takeDue(node: Verbs, now: number): Promise<readonly Claim[]> {
  return (await node.claim({ which: 'due', destination: A, now, limit: 10 })).claims;
}

/** Once a statement with such a name has committed, nothing of this process reaches the database any more. */
function dyingAfter(name: RegExp): (database: Database) => Database {
  let isDead = false;
  return (database) => ({
    ...database,
    async run<Row>(statement: Statement, values: readonly unknown[] = []) {
      if (isDead) return [];
      const rows = await database.run<Row>(statement, values);
      isDead = name.test(statement.name);
      return rows;
    },
  });
}

describeWithPostgres('lines in PostgreSQL', () => {
  const kept = keptPlaces(stillPlace);

  test('HOOK-25: the next of a line is found at once by others when a router dies after it recorded an end', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const { verbs: dying } = await nodes.open('dying', { spoil: dyingAfter(/^record/) });
    const { verbs: other } = await nodes.open('other');
    for (const node of [dying, other]) await node.join({ now: NOW });
    await dying.accept(batchOf(inLine('first', 'second', 'third')));
    const claim = firstOf(await takeDue(dying, NOW));
    await dying.record([delivered(claim)]);
    await nodes.advance(LEASE_MS);
    await other.beat();
    await other.reap({ now: nodes.now() });
    const found = await takeDue(other, nodes.now());
    expect(ids(found)).toEqual(['second']);
    expect(ids((await other.record([delivered(firstOf(found))])).next)).toEqual(['third']);
  });

  test('HOOK-25: what somebody postpones while the one before it ends is taken with that end', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const [looked, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { verbs: node } = await nodes.open('one');
    await node.join({ now: NOW });
    await node.accept(batchOf(inLine('first')));
    const claim = firstOf(await takeDue(node, NOW));
    await node.accept(batchOf(inLine('second')));
    const { verbs: slow } = await nodes.open('two', {
      spoil: committingLate('claim_due', committing.promise, looked.resolve),
    });
    await slow.join({ now: NOW });
    const postponing = takeDue(slow, NOW);
    await looked.promise;
    const recording = node.record([delivered(claim)]);
    await expect.poll(() => nodes.count('log')).toBe(1);
    committing.resolve();
    expect(ids(await postponing)).toEqual([]);
    expect(ids((await recording).next)).toEqual(['second']);
  });

  test('HOOK-25: what is accepted while the one before it ends is taken with that end', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const [recorded, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { verbs: node } = await nodes.open('one', {
      spoil: committingLate('record_and_next', committing.promise, recorded.resolve),
    });
    const { verbs: other } = await nodes.open('two');
    for (const one of [node, other]) await one.join({ now: NOW });
    await node.accept(batchOf(inLine('first')));
    const recording = node.record([delivered(firstOf(await takeDue(node, NOW)))]);
    await recorded.promise;
    await other.accept(batchOf(inLine('second')));
    // It waits for a minute where nobody else takes it.
    expect(await takeDue(other, NOW)).toEqual([]);
    committing.resolve();
    expect(ids((await recording).next)).toEqual(['second']);
  });

  test('HOOK-25: what somebody postpones while a telling before it is cancelled is due at once', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const [looked, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { verbs: node } = await nodes.open('one');
    await node.join({ now: NOW });
    const first = await started(node);
    await tellOf(node, first, [{ ...telling('ann'), line: LINE }]);
    await nodes.advance(1);
    await node.accept(batchOf(inLine('behind')));
    // The telling is being tried as somebody looks, and is put back before that look commits.
    const trying = await node.claim({ which: 'received', destination: A, upTo: NOW, limit: 1 });
    const { verbs: slow } = await nodes.open('two', {
      spoil: committingLate('claim_due', committing.promise, looked.resolve),
    });
    await slow.join({ now: NOW });
    const postponing = takeDue(slow, NOW + 1);
    await looked.promise;
    await node.release(trying.claims);
    const told = tellOf(node, await nextSync(node, first), [], { forgotten: ['ann'] });
    await expect.poll(() => nodes.count("log WHERE state = 'cancelled'")).toBe(1);
    committing.resolve();
    expect(ids(await postponing)).toEqual([]);
    await told;
    expect(ids(await takeDue(node, NOW + 1))).toEqual(['behind']);
  });
});
