import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type { DeliveryStorage } from '../../delivery-storage.ts';
import type { Members } from '../../members.ts';
import type { Database } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import type { Names } from '../names.ts';
import type { DatabaseTime, Step } from '../time.ts';
import { type AcceptParts, Accepts } from './accept.ts';
import { backlog, countBacklog, trying } from './backlog.ts';
import { claim } from './claim.ts';
import { Heads } from './heads.ts';
import { held, release } from './held.ts';
import { Ids } from './ids.ts';
import { KnownIds } from './known-ids.ts';
import { OwnLife } from './life.ts';
import { leave, measure, memberVerbs } from './members.ts';
import { Inserts } from './new-rows.ts';
import { record } from './record.ts';
import { Refusals } from './refusals.ts';
import { messageOf } from '../../../thrown.ts';

export interface DeliveriesParts {
  readonly database: Database;
  readonly names: Names;
  readonly time: DatabaseTime;
  readonly clock: Pick<Clock, 'steady' | 'sleep'>;
  readonly log: Log;
  /** By which the node is known over its lives. */
  readonly node: string;
  /** Resolves once this router knows of all changes of the configuration that were answered before. */
  readonly refresh: () => Promise<void>;
}

export interface Deliveries {
  readonly verbs: DeliveryStorage & Members;
  readonly known: KnownIds;
  readonly ids: Ids;
  /** How many accepts were refused while none was stored. */
  readonly refused: () => number;
  /** Throws where the database could store none of them for some time. */
  readonly proveAble: () => void;
  /** Ends the life of the node. */
  close(): Promise<void>;
}

const FOLLOW_MS = 1_000;
const EMPTY_NEXT_SLOT = writes('empty_next_slot', 'SELECT empty_next_slot()');

/** What a node that lives has seen, or else any that has; a row stays until another node needs its number. */
const CLOCK_STEPS = reads(
  'clock_steps',
  "SELECT division->'clock' AS steps FROM nodes WHERE division ? 'clock' ORDER BY until DESC NULLS LAST LIMIT 1",
);

/** Once it is open it knows which message ids were accepted within a day. */
export async function openDeliveries(parts: DeliveriesParts): Promise<Deliveries> {
  const { database, time, clock, node } = parts;
  const life = new OwnLife(node, database.timeline);
  const heads = new Heads(time);
  const [known, ids, refusals] = [new KnownIds(database, time), new Ids(database), new Refusals(clock)];
  await measure(database, time);
  const [told] = await database.run<{ readonly steps: readonly Step[] }>(CLOCK_STEPS);
  time.adopt(told?.steps ?? []);
  await known.follow();
  const ending = new AbortController();
  const following = follow(known, parts, ending.signal);
  return {
    verbs: {
      ...deliveryVerbs({ ...parts, inserts: new Inserts(database, clock), life, known, ids, refusals, heads }),
      ...memberVerbs({ database, time, life, forgetHeads: () => heads.forget() }),
    },
    known,
    ids,
    refused: () => refusals.count,
    proveAble: () => refusals.proveAble(),
    async close() {
      ending.abort();
      await following;
      await leave({ database, time, life });
    },
  };
}

function deliveryVerbs(
  parts: AcceptParts & Pick<DeliveriesParts, 'clock'> & { readonly heads: Heads },
): DeliveryStorage {
  const accepts = new Accepts(parts);
  return {
    accept: (request) => accepts.accept(request),
    claim: claim(parts),
    record: record(parts),
    release: release(parts),
    held: held(parts),
    backlog: backlog(parts),
    countBacklog: countBacklog(parts),
    trying: trying(parts),
  };
}

/** Hears what other routers accept. A router that cannot refuses to accept after some minutes. */
async function follow(known: KnownIds, { database, clock, log }: DeliveriesParts, signal: AbortSignal): Promise<void> {
  let failure: string | undefined;
  for (;;) {
    await clock.sleep(FOLLOW_MS, signal);
    if (signal.aborted) return;
    try {
      await known.follow();
      await database.run(EMPTY_NEXT_SLOT);
      failure = undefined;
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== failure)
        log.warn({ reason }, 'the ids that other routers accepted could not be read; trying again');
      failure = reason;
    }
  }
}
