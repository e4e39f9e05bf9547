import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { fingerprintOf } from '../../storage/fingerprint.ts';
import { openDatabase } from '../../storage/file/deliveries/database.ts';
import type { Seen } from '../../storage/file/deliveries/seen.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 0, 1);

/** One transaction, and how it ends: a crash in its midst loses it, one after it does not. */
export interface Deed {
  readonly afterMs: number;
  /** New ids, and others that come again: of any age, or of the last thousand. */
  readonly fresh: number;
  readonly again: number;
  readonly recent: boolean;
  /** What is too old goes in the same transaction. */
  readonly sweeps: boolean;
  readonly ends: 'commit' | 'rollback' | 'crash before the commit' | 'crash after it' | 'stop';
}

const anyEnd = fc.oneof(
  { weight: 12, arbitrary: fc.constant('commit' as const) },
  { weight: 3, arbitrary: fc.constant('rollback' as const) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('crash before the commit' as const, 'crash after it' as const, 'stop' as const),
  },
);

export const anyHistory: fc.Arbitrary<readonly Deed[]> = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.nat(60_000), fc.nat(6 * 3_600_000)),
    fresh: fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.nat(400), fc.nat(1_500)),
    again: fc.oneof(fc.nat(3), fc.nat(300)),
    recent: fc.boolean(),
    sweeps: fc.boolean(),
    ends: anyEnd,
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
);

export type OpenSeen = (database: DatabaseSync, toFingerprint?: typeof fingerprintOf) => Seen;

/** As good as real ones, but for the few bits by which the index looks: each look leads to blocks of others. */
export const alikeFingerprints: typeof fingerprintOf = (source, messageId) => {
  const { first, ...rest } = fingerprintOf(source, messageId);
  return { ...rest, first: (first & ~0x3_ffff) >>> 0 };
};

/** Answers what is wrong with what was told of the ids of a history, beside a plain map of them. */
export function faultsOf(history: readonly Deed[], open: OpenSeen, toFingerprint = fingerprintOf): string[] {
  using world = new SeenWorld(open, toFingerprint);
  return history.flatMap((deed) => world.do(deed));
}

class SeenWorld implements Disposable {
  readonly #openSeen: () => Seen;
  readonly #folder = mkdtempSync(join(tmpdir(), 'waybill-seen-'));
  #path = join(this.#folder, '0');
  #crashes = 0;
  #database = openDatabase(this.#path);
  #seen: Seen;
  #now = NOW;
  /** Whatever was seen before may be forgotten, or not. */
  #horizon = 0;
  /** When what was committed was accepted last. */
  readonly #accepted = new Map<string, number>();
  /** All that came, whatever became of them. */
  readonly #ids: string[] = [];
  #next = 0;
  /** Which of them come again next: the same ones in each run of a history. */
  #choice = 0;

  constructor(open: OpenSeen, toFingerprint: typeof fingerprintOf) {
    this.#openSeen = () => open(this.#database, toFingerprint);
    this.#seen = this.#openSeen();
  }

  do({ afterMs, fresh, again, recent, sweeps, ends }: Deed): string[] {
    this.#now += afterMs;
    const ids = [...this.#fresh(fresh), ...Array.from({ length: again }, () => this.#earlier(recent))];
    this.#database.exec('BEGIN IMMEDIATE');
    if (sweeps) this.#sweep();
    const taken = new Set<string>();
    const faults = ids.flatMap((id) => this.#take(id, taken));
    if (ends !== 'rollback') this.#seen.committing();
    if (ends === 'crash before the commit') this.#crash();
    else if (ends === 'rollback') {
      this.#database.exec('ROLLBACK');
      this.#seen.rolledBack();
    } else {
      this.#database.exec('COMMIT');
      this.#committed(taken);
      if (ends === 'commit') this.#seen.committed();
      else if (ends === 'crash after it') this.#crash();
      else this.#reopen();
    }
    return faults;
  }

  [Symbol.dispose](): void {
    this.#database.close();
    rmSync(this.#folder, { recursive: true });
  }

  #fresh(count: number): string[] {
    const ids = Array.from({ length: count }, () => `id-${(this.#next += 1)}`);
    this.#ids.push(...ids);
    return ids;
  }

  #earlier(recent: boolean): string {
    this.#choice = (this.#choice * 1_103_515_245 + 12_345) % 2 ** 31;
    const from = recent ? Math.max(0, this.#ids.length - 1_000) : 0;
    return this.#ids[from + (this.#choice % Math.max(1, this.#ids.length - from))] ?? 'first';
  }

  #sweep(): void {
    this.#horizon = Math.max(this.#horizon, this.#now - DAY);
    while (this.#seen.sweep(this.#now - DAY, 3).isMore);
  }

  #take(id: string, taken: Set<string>): string[] {
    const isNew = this.#seen.take(1, id, this.#now);
    const at = taken.has(id) ? this.#now : this.#accepted.get(id);
    if (isNew) taken.add(id);
    if (isNew && at !== undefined && at >= this.#horizon) return [`${id} is taken for new, ${this.#now - at} ms later`];
    return isNew || at !== undefined ? [] : [`${id} is taken for a duplicate, and never came before`];
  }

  #committed(taken: ReadonlySet<string>): void {
    for (const id of taken) this.#accepted.set(id, this.#now);
  }

  /** What a kill of the process leaves: the files as they are. */
  #crash(): void {
    const left = join(this.#folder, String((this.#crashes += 1)));
    for (const end of ['', '-wal']) if (existsSync(this.#path + end)) copyFileSync(this.#path + end, left + end);
    this.#path = left;
    this.#reopen();
  }

  #reopen(): void {
    this.#database.close();
    this.#database = openDatabase(this.#path);
    this.#seen = this.#openSeen();
  }
}
