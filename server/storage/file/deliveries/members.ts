import type { DatabaseSync } from 'node:sqlite';
import type { Fence } from '../../../model/delivery.ts';
import { systemClock } from '../../../system-clock.ts';
import type { Member } from '../../members.ts';
import type { Operations } from '../../verbs.ts';
import { query } from './query.ts';

/** The one node of a data folder: whoever has the lock of the file is it, and all that went before have ended. */
export const NODE = 'local';

/** The life that this process leads: its number, 0 until it has joined. */
export interface OwnLife {
  readonly epoch: number;
  /** Whether a fence is of this life. */
  has(fence: Fence): boolean;
  committed(): void;
  rolledBack(): void;
}

export function members(database: DatabaseSync): {
  life: OwnLife;
  operations: Pick<Operations, 'join' | 'beat' | 'reap' | 'members'>;
} {
  const held = query<{ readonly held: number }>(
    database,
    "SELECT count(*) AS held FROM deliveries WHERE state = 'trying'",
  );
  const stored = query<{ epoch: number }>(database, 'SELECT epoch FROM members WHERE node = ?');
  const begin = database.prepare(`
    INSERT INTO members (node, epoch) VALUES (?1, 1) ON CONFLICT DO UPDATE SET epoch = epoch + 1`);
  const free = freeEverything(database);
  let epoch = 0;
  let self: Omit<Member, 'epoch' | 'lastBeatAt' | 'held'> | undefined;
  /** Before the transaction that is open: of a join that is undone nobody was told. */
  let before = 0;
  return {
    life: {
      get epoch() {
        return epoch;
      },
      has: (fence) => fence.epoch === epoch && fence.node === NODE,
      committed: () => (before = epoch),
      rolledBack: () => (epoch = before),
    },
    operations: {
      join({ now, router = { name: NODE, version: '' } }) {
        begin.run(NODE);
        self = { node: NODE, ...router, startedAt: systemClock.steady() };
        epoch = stored.get(NODE)?.epoch ?? 0;
        return { node: NODE, epoch, freed: free(now) };
      },
      // The lock of the file is the lease: it ends with the process, and nobody else has one.
      beat: () => (epoch > 0 ? { members: [{ node: NODE, epoch }], leaseMs: Infinity } : undefined),
      reap: () => 0,
      members: () =>
        self === undefined || epoch === 0
          ? []
          : [{ ...self, epoch, lastBeatAt: systemClock.steady(), held: held.get()?.held ?? 0 }],
    },
  };
}

function freeEverything(database: DatabaseSync): (now: number) => number {
  // Their rounds stay counted: they may have been sent, and a delivery that ends the process must not be endless.
  const free = database.prepare(`
    UPDATE deliveries SET state = 'pending', due_at = ?1, window_from = window_from - max(0, set_at - ?1), set_at = ?1
    WHERE state = 'trying'`);
  // What was set in the future is due in the future too, and of the due times there is an index.
  const setBack = database.prepare(`
    UPDATE deliveries SET due_at = ?1, window_from = window_from - (set_at - ?1), set_at = ?1
    WHERE state = 'pending' AND due_at > ?1 AND set_at > ?1`);
  // Dated in the future they would never be forgotten, nor would what stands behind them.
  const redate = database.prepare('UPDATE seen SET seen_at = ?1 WHERE seen_at > ?1');
  return (now) => {
    setBack.run(now);
    redate.run(now);
    return Number(free.run(now).changes);
  };
}
