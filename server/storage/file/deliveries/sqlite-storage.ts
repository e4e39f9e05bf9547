import { type Acceptance, type Claim, deliveryId, type Fence, type RoundRecord } from '../../../model/delivery.ts';
import type { Sync } from '../../../model/sync.ts';
import { StoreUnavailable } from '../../config-store.ts';
import type { Recorded } from '../../delivery-storage.ts';
import { NotAMember } from '../../errors.ts';
import { claimFrom } from '../../stored-claim.ts';
import { refuseStale, type VersionOf } from '../../versions.ts';
import { eachVerb, type Verbs } from '../../verbs.ts';
import type { Freezable } from '../snapshots.ts';
import { claimsIn, flatAccept } from './flat-rows.ts';
import { NODE } from './members.ts';
import { roundsText } from './rounds-text.ts';
import type { OpenSyncs } from './syncs.ts';
import { openSqliteThread, type SqliteThread } from './sqlite-thread.ts';

/** Messages, deliveries, their log and jobs in SQLite. */
export interface SqliteStorage extends Verbs, Freezable {
  /** Rejects with why nothing can be written now. */
  proveWritable(): Promise<void>;
  /** How many commits have failed, or could not be tried. */
  failures(): number;
  /** Waits until all that was asked is on disk, then ends. */
  close(): Promise<void>;
}

export interface SqliteParts {
  /** The file that runs as the thread. */
  readonly thread?: URL | undefined;
  readonly versionOf?: VersionOf | undefined;
}

/** Opens the storage in one file, made when there is none. Rejects with a message that names the file. */
export async function openSqliteStorage(path: string, { thread, versionOf }: SqliteParts = {}): Promise<SqliteStorage> {
  return sqliteStorage(await openSqliteThread(path, thread), versionOf);
}

/** Accepted messages stay in memory on their way to the dispatcher. */
export function sqliteStorage(thread: SqliteThread, versionOf?: VersionOf): SqliteStorage {
  let isMember = false;
  const requireMember = (): void => {
    if (!isMember) throw new NotAMember('this node has not joined the storage, so it cannot hold deliveries');
  };
  return {
    ...eachVerb((verb) => (argument) => thread.ask({ name: verb, argument })),
    join: async (request) => {
      const membership = await thread.call('join', request);
      isMember = true;
      return membership;
    },
    accept: async (request) => {
      const { acceptances } = request;
      if (acceptances.some(({ routes }) => routes.some(({ claimed }) => claimed))) requireMember();
      // No other process changes the configuration: what is current as the call is made was answered before it.
      refuseStale(request, versionOf);
      const { accept, bytes } = flatAccept(request);
      const { deliveries, behind, epoch } = await thread.call('accept', accept);
      return acceptances.map((acceptance, index) =>
        claimsOf(acceptance, { deliveries: deliveries[index] ?? null, behind, bytes: bytes[index] ?? 0, epoch }),
      );
    },
    claim: async (request) => {
      requireMember();
      const { claims, epoch, ...rest } = await thread.call('claim', request);
      const holding = { destination: request.destination, node: NODE, epoch };
      return { claims: claimsIn(claims).map((stored) => claimFrom(stored, holding)), ...rest };
    },
    record: (rounds) => recordIn(thread, rounds),
    release: (claims) => thread.call('release', fencesOf(claims)),
    openSyncs: (of) => openSyncsIn(thread, of),
    exchange: async (news) => {
      requireMember();
      return thread.call('exchange', news);
    },
    ...fileOf(thread),
  };
}

/** What is done with the file as a whole. */
function fileOf(thread: SqliteThread): Omit<SqliteStorage, keyof Verbs> {
  return {
    proveWritable: () => thread.prove(),
    failures: () => thread.failures,
    freeze: () => thread.freeze(),
    thaw: () => thread.thaw(),
    close: () => thread.close(),
  };
}

/** From so many on, a commit for rounds alone is cheap enough. */
const MANY_ROUNDS = 16;

async function recordIn(thread: SqliteThread, rounds: readonly RoundRecord[]): Promise<Recorded> {
  const isPatient = rounds.length < MANY_ROUNDS && rounds.every(isAwaitedByNobody);
  const { refused, destinations, claims, epoch } = await thread.call('record', roundsText(rounds), { isPatient });
  const holdingOf = (index: number) => ({ destination: destinations[index] ?? '', node: NODE, epoch });
  return { refused, next: claimsIn(claims).map((stored, index) => claimFrom(stored, holdingOf(index))) };
}

/** Part by part: between two of them the thread does what others ask. */
async function openSyncsIn(thread: SqliteThread, of: { readonly computation?: string } = {}): Promise<readonly Sync[]> {
  const found: Sync[] = [];
  let behind: number | undefined = 0;
  while (behind !== undefined) {
    const part: OpenSyncs = await thread.call('openSyncs', { ...of, behind });
    found.push(...part.syncs);
    behind = part.next;
  }
  return found;
}

/** What was delivered, with nothing behind it in a line; if the process ends first, it is sent again, as what was in flight (D-32). */
function isAwaitedByNobody({ verdict, line }: RoundRecord): boolean {
  return verdict.state === 'delivered' && line === undefined;
}

/** Claims hold whole messages, which the thread has no use for. */
function fencesOf(claims: readonly Fence[]): Fence[] {
  return claims.map(({ delivery, node, epoch, round }) => ({ delivery, node, epoch, round }));
}

interface Stored {
  readonly deliveries: readonly number[] | null;
  readonly behind: readonly number[];
  /** Characters of the event's JSON. */
  readonly bytes: number;
  readonly epoch: number;
}

function claimsOf(
  { message, routes }: Acceptance,
  { deliveries, behind, bytes, epoch }: Stored,
): Claim[] | 'duplicate' {
  if (deliveries === null) return 'duplicate';
  return routes.flatMap(({ destination, claimed, line }, index) => {
    const id = deliveries[index];
    if (id === undefined) throw new StoreUnavailable('the store answered fewer deliveries than it was given');
    const fence = { delivery: deliveryId(String(id)), node: NODE, epoch, round: 1 };
    const inLine = line === undefined ? {} : { line };
    return claimed && !behind.includes(id)
      ? [{ ...fence, destination, message, bytes, tries: 0, closed: [], ...inLine }]
      : [];
  });
}
