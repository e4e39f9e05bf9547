import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Claim } from '../../model/delivery.ts';
import { LEASE_MS } from '../../storage/members.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { A, accepted, NOW, postponed, recordOf } from '../conformance/delivery-store-events.ts';
import { batchOf } from '../support/memory-storage.ts';
import { postgresNodes } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

type Node = Pick<Verbs, 'accept' | 'claim' | 'record' | 'release' | 'join' | 'reap'>;

const ROUND = fc.record({
  ids: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 25 }),
  act: fc.constantFrom('end', 'postpone', 'release', 'leave'),
});

describeWithPostgres('two routers at the same rows', () => {
  test('never wait for each other in a circle, and lose nothing', async () => {
    await using nodes = await postgresNodes(NOW);
    const opened = [await nodes.open('one'), await nodes.open('two')].map(({ verbs }) => verbs);
    for (const node of opened) await node.join({ now: NOW });
    const rounds = fc.sample(
      fc.tuple(fc.array(ROUND, { minLength: 8, maxLength: 8 }), fc.array(ROUND, { minLength: 8, maxLength: 8 })),
      {
        numRuns: 4,
        seed: 7,
      },
    );
    const names = new Set<string>();
    for (const [run, pair] of rounds.entries()) {
      for (const { ids } of pair.flat()) for (const id of ids) names.add(`${run} ${id}`);
      await Promise.all(opened.flatMap((node, index) => (pair[index] ?? []).map((round) => act(node, round, run))));
    }
    const [gone] = opened;
    const answer = await gone?.accept(
      batchOf(Array.from({ length: 40 }, (_, index) => accepted(`gone ${index}`, true))),
    );
    const held = answer?.flatMap((one) => (one === 'duplicate' ? [] : one)) ?? [];
    await nodes.advance(LEASE_MS);
    const reports = held.map((claim) => recordOf(claim, { state: 'delivered' }));
    const late: Promise<unknown>[] = opened.map((node) => node.reap({ now: nodes.now() }));
    await Promise.all([...late, gone?.record(reports.toReversed()) ?? Promise.resolve()]);
    expect(await nodes.count('tries')).toBe(0);
    const rows = await Promise.all(['tries', 'queue', 'log'].map((table) => nodes.count(table)));
    expect(rows.reduce((sum, count) => sum + count)).toBe(names.size + held.length);
  });
});

async function act(
  node: Node,
  { ids, act: what }: { ids: readonly number[]; act: string },
  run: number,
): Promise<void> {
  const answer = await node.accept(batchOf(ids.map((id) => accepted(`${run} ${id}`, id % 2 === 0))));
  const { claims } = await node.claim({ which: 'due', destination: A, now: NOW + 5, limit: 7 });
  const mine: Claim[] = [...claims, ...answer.flatMap((one) => (one === 'duplicate' ? [] : one))];
  if (what === 'end') await node.record(mine.map((claim) => recordOf(claim, { state: 'delivered' })));
  if (what === 'postpone') await node.record(mine.map((claim) => recordOf(claim, postponed(NOW + 5))));
  if (what === 'release') await node.release(mine.toReversed());
}
