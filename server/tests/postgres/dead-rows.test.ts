import { expect, test } from 'vitest';
import type { Claim } from '../../model/delivery.ts';
import { type Database, openDatabase } from '../../storage/postgres/connection/database.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { A, accepted, ids, NOW, postponed, recordOf } from '../conformance/delivery-store-events.ts';
import { batchOf } from '../support/memory-storage.ts';
import { type Asked, buffersOf, recorded } from '../support/plans.ts';
import { postgresNodes, type PostgresNodes } from '../support/postgres-nodes.ts';
import { describeWithPostgres, serverUrl } from '../support/postgres-place.ts';

const BATCH = 200;
/** As the engine has them. */
const [MARGIN_MS, HOLDS_MS] = [10_000, 60_000];
const BEAT_MS = 5_000;

interface Node {
  readonly verbs: Verbs;
  /** Each statement, as it was last asked. */
  readonly asked: ReadonlyMap<string, Asked>;
}

async function joined(nodes: PostgresNodes, name = 'one'): Promise<Node> {
  let asked: ReadonlyMap<string, Asked> = new Map();
  const spoil = (own: Database): Database => {
    const noting = recorded(own);
    asked = noting.asked;
    return noting.database;
  };
  const { verbs } = await nodes.open(name, { spoil });
  await verbs.join({ now: nodes.now() });
  return { verbs, asked };
}

/** Events that wait, due at once. */
async function wait(nodes: PostgresNodes, verbs: Verbs, names: readonly string[], offset = 0): Promise<void> {
  const since = nodes.now() - NOW + offset;
  await verbs.accept(batchOf(names.map((name) => accepted(name, false, since))));
}

async function due(nodes: PostgresNodes, verbs: Verbs, limit = 100): Promise<readonly Claim[]> {
  return (await verbs.claim({ which: 'due', destination: A, now: nodes.now(), limit })).claims;
}

/** Time passes, and no lease ends. */
async function pass(nodes: PostgresNodes, members: readonly Node[], ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= BEAT_MS) {
    await nodes.advance(Math.min(left, BEAT_MS));
    for (const { verbs } of members) await verbs.beat();
  }
}

/** So many batches pass through the queue, some of each waiting a second time; there are always more. */
async function passThrough(nodes: PostgresNodes, verbs: Verbs, batches: number, tag: string): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) {
    await wait(
      nodes,
      verbs,
      Array.from({ length: BATCH }, (_, at) => `${tag}-${batch}-${at}`),
    );
    await nodes.advance(MARGIN_MS / 4);
    await verbs.beat();
    const claims = await due(nodes, verbs, BATCH);
    await verbs.record(
      claims.map((claim, at) =>
        recordOf(claim, at % 4 === 0 && claim.round === 1 ? postponed(nodes.now() + 1_000) : { state: 'delivered' }),
      ),
    );
  }
}

describeWithPostgres('rows that were taken, while a transaction is held open', () => {
  test('a claim reads no more however many were taken before; one from the beginning reads them all', async () => {
    await using nodes = await postgresNodes(NOW);
    const { verbs, asked } = await joined(nodes);
    const another = openDatabase(readAddress(await serverUrl()));
    const buffers = (name: string): Promise<number> => buffersOf(nodes.database, asked.get(name));
    try {
      const [onward, whole] = await another.transaction(async (held) => {
        await held.run(script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ'));
        const stay = (): Promise<unknown> => held.run(reads('', 'SELECT count(*) FROM pg_class'));
        await stay();
        await wait(
          nodes,
          verbs,
          Array.from({ length: BATCH }, (_, at) => `first-${at}`),
        );
        await passThrough(nodes, verbs, 12, 'few');
        const few = [await buffers('claim_due_onward'), await buffers('claim_due')] as const;
        await stay();
        await passThrough(nodes, verbs, 40, 'many');
        const many = [await buffers('claim_due_onward'), await buffers('claim_due')] as const;
        return [many[0] / few[0], many[1] / few[1]];
      });
      expect(onward).toBeLessThan(1.5);
      expect(whole).toBeGreaterThan(2);
    } finally {
      await another.close();
    }
  }, 60_000);
});

describeWithPostgres('where a queue was found to begin', () => {
  test('what was put back is found at once, before what is due later', async () => {
    await using nodes = await postgresNodes(NOW);
    const node = await joined(nodes);
    const { verbs } = node;
    await wait(nodes, verbs, ['a', 'b']);
    await pass(nodes, [node], 2 * MARGIN_MS);
    const first = await due(nodes, verbs, 1);
    await wait(nodes, verbs, ['c', 'd']);
    expect(ids(await due(nodes, verbs, 2))).toEqual(['b', 'c']);
    await verbs.release(first);
    expect(ids(await due(nodes, verbs))).toEqual(['a', 'd']);
  });

  test('what another router puts in before it is found at once where nothing else is due, and else within a minute', async () => {
    await using nodes = await postgresNodes(NOW);
    const [one, other] = [await joined(nodes), await joined(nodes, 'other')];
    const { verbs } = one;
    await pass(nodes, [one, other], 2 * MARGIN_MS);
    await wait(nodes, verbs, ['b', 'c', 'd', 'e', 'f']);
    expect(ids(await due(nodes, verbs, 1))).toEqual(['b']);
    await wait(nodes, other.verbs, ['late'], -1.5 * MARGIN_MS);
    expect(ids(await due(nodes, verbs, 1))).toEqual(['c']);
    expect(ids(await due(nodes, verbs, 9))).toEqual(['d', 'e', 'f']);
    expect(ids(await due(nodes, verbs, 9))).toEqual(['late']);
    await wait(nodes, verbs, ['g', 'h', 'i']);
    expect(ids(await due(nodes, verbs, 1))).toEqual(['g']);
    await wait(nodes, other.verbs, ['later'], -1.5 * MARGIN_MS);
    expect(ids(await due(nodes, verbs, 1))).toEqual(['h']);
    await pass(nodes, [one, other], HOLDS_MS);
    expect(ids(await due(nodes, verbs, 1))).toEqual(['later']);
  });

  test('the oldest that waits is known of what was put back since', async () => {
    await using nodes = await postgresNodes(NOW);
    const { verbs } = await joined(nodes);
    await wait(nodes, verbs, ['a', 'b', 'c', 'd']);
    const [first] = await due(nodes, verbs, 1);
    await nodes.advance(1_000);
    await wait(nodes, verbs, ['e']);
    await due(nodes, verbs, 1);
    if (first === undefined) throw new Error('nothing was claimed');
    await verbs.record([{ ...recordOf(first, postponed(nodes.now() + 3_600_000)), ageMs: 1_000 }]);
    const { nextDueAt, oldestReceivedAt } = await verbs.claim({
      which: 'due',
      destination: A,
      now: nodes.now(),
      limit: 3,
    });
    expect([nextDueAt, oldestReceivedAt]).toEqual([nodes.now() + 3_600_000, NOW]);
  });

  test('what was put back since is found at once where the oldest are asked for', async () => {
    await using nodes = await postgresNodes(NOW);
    const node = await joined(nodes);
    const { verbs } = node;
    await wait(nodes, verbs, ['a']);
    await pass(nodes, [node], 2 * MARGIN_MS);
    await wait(nodes, verbs, ['b', 'c', 'd', 'e']);
    const oldest = async (limit: number): Promise<readonly Claim[]> =>
      (await verbs.claim({ which: 'received', destination: A, upTo: nodes.now(), limit })).claims;
    const [first] = await oldest(1);
    if (first === undefined) throw new Error('nothing was claimed');
    expect(ids(await oldest(1))).toEqual(['b']);
    await verbs.record([{ ...recordOf(first, postponed(nodes.now() + 1)), ageMs: 2 * MARGIN_MS }]);
    expect(ids(await oldest(2))).toEqual(['a', 'c']);
    expect(ids((await verbs.claim({ which: 'probe', destination: A, limit: 9 })).claims)).toEqual(['d', 'e']);
  });
});
