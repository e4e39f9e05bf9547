import { expect, test } from 'vitest';
import { fingerprintOf, toBytes } from '../../storage/fingerprint.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { KnownIds } from '../../storage/postgres/deliveries/known-ids.ts';

/** A database whose commits can be exchanged for those of another, as after a failover. */
class Commits {
  rows: readonly { readonly xact: string; readonly id: number; readonly messageId: string }[] = [];
  end = 0;
  timeline = 1;
  readonly database: Pick<Database, 'run' | 'timeline' | 'reached'> = {
    timeline: () => this.timeline,
    reached: () => undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows as the statement answers them
    run: ((_statement: unknown, [from]: readonly [string]) =>
      Promise.resolve(this.#after(BigInt(from)))) as Database['run'],
  };

  #after(from: bigint): readonly unknown[] {
    const answer = { snapshot: `${this.end}:${this.end}:`, now: 1, at: 1 };
    const rows = this.rows.filter(({ xact }) => BigInt(xact) > from);
    if (rows.length === 0) return [{ ...answer, xact: null }];
    return rows.map(({ messageId, ...row }) => ({
      ...answer,
      ...row,
      fingerprints: toBytes([fingerprintOf(1, messageId)]),
    }));
  }
}

test('D-43: after a failover to a server that was behind, what others accept there is known, and what it lacks is not', async () => {
  const commits = new Commits();
  const known = new KnownIds(commits.database, { toDatabase: (at) => at, steady: () => 1 });
  const before = { xact: '50', id: 1, messageId: 'before' };
  [commits.rows, commits.end] = [[before, { xact: '90', id: 2, messageId: 'lost' }], 100];
  await known.follow();
  [commits.rows, commits.end] = [[before, { xact: '60', id: 3, messageId: 'after' }], 61];
  await known.follow();
  const ids = ['before', 'lost', 'after'];
  expect(ids.map((messageId) => known.has(fingerprintOf(1, messageId)))).toEqual([true, false, true]);
});

test('NODE-1: so it is where others have begun as many transactions there, by the time that it looks', async () => {
  const commits = new Commits();
  const known = new KnownIds(commits.database, { toDatabase: (at) => at, steady: () => 1 });
  [commits.rows, commits.end] = [[{ xact: '90', id: 2, messageId: 'lost' }], 100];
  await known.follow();
  expect(known.until).toBe(1);
  [commits.rows, commits.end, commits.timeline] = [[{ xact: '95', id: 3, messageId: 'after' }], 200, 2];
  // What is known until when is told to the database, which lets nobody accept who knows nothing.
  expect(known.until).toBe(0);
  await known.follow();
  const ids = ['lost', 'after'];
  expect(ids.map((messageId) => known.has(fingerprintOf(1, messageId)))).toEqual([false, true]);
  expect(known.until).toBe(1);
});
