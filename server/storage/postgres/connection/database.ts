import type { Address } from './address.ts';
import { Hosts } from './hosts.ts';
import { type Listening, listenOn } from './listening.ts';
import { refuseShared } from './pooler.ts';
import { type Reached, Timeline } from './timeline.ts';
import { Session } from './session.ts';
import { reads, type Statement, writes } from './statement.ts';

export interface Queries {
  /**
   * Rejects with StatementRefused for what the server would refuse again, with StoreUnavailable when nothing of it holds,
   * and with OutcomeUnknown when the answer to a writing statement was lost.
   */
  run<Row>(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export interface Transactions extends Queries {
  /** All of the work or nothing, on one connection, READ COMMITTED. What the work throws is passed on. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

export interface Database extends Transactions {
  /** On connections of its own, behind nobody else's work: for what may not be late. */
  readonly urgent: Transactions;
  /** On connections of its own, for what looks at all profiles: a statement may take minutes. */
  readonly patient: Transactions;
  /** Hears the notifications of a channel, on a connection of its own. */
  listen(channel: string, heard: (payload: string) => void): Promise<Listening>;
  /** Rejects with StorageUnusable where a pooler gives one session of the server to several connections in turn. */
  refusePooler(): Promise<void>;
  /**
   * Greater once another server has been promoted, or this one was put back: it may be behind what was answered before. What was asked
   * before that is asked of no server of after it.
   */
  readonly timeline: () => number;
  /** Told of what was seen at this `timeline`. */
  readonly reached: (seen: Reached, timeline: number) => void;
  /** Connections that all of this shares, unless it has its own. */
  readonly pool: number;
  /** Hosts and name, for logs and errors. */
  readonly shown: string;
  /** Where all tables are. */
  readonly schema: string;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** How long the answer to a statement may take. */
export const DEADLINE_MS = 10_000;

const [BEGIN, COMMIT, ROLLBACK] = [reads('begin', 'BEGIN'), writes('commit', 'COMMIT'), reads('rollback', 'ROLLBACK')];

/** For the lease, the exchange with others, and whoever asks whether this router is ready: one at a time of each. */
export const URGENT_CONNECTIONS = 3;

/** Of workspaces in turn: two that ask for large ones keep no third waiting. */
export const PREVIEWS_AT_ONCE = 3;
/** Three runs of audiences at a time, and previews. */
export const PATIENT_CONNECTIONS = 3 + PREVIEWS_AT_ONCE;
/** Of 10⁶ profiles, a run takes seconds; the server ends it at half of this. */
const PATIENT_MS = 1_200_000;

/**
 * Connects with the first statement. However long an answer may take, who is silent in a transaction, as one whose machine sleeps, has
 * others wait for its locks for no longer than the usual deadline.
 */
export function openDatabase(address: Address, deadlineMs = DEADLINE_MS): Database {
  const timeline = new Timeline();
  const opened = (pool: number, answerMs = deadlineMs): Hosts =>
    new Hosts({ ...address, pool }, { answerMs, idleMs: Math.min(deadlineMs, DEADLINE_MS) }, timeline);
  const [hosts, reserved] = [opened(address.pool), opened(URGENT_CONNECTIONS)];
  const patient = opened(PATIENT_CONNECTIONS, PATIENT_MS);
  return {
    shown: address.shown,
    pool: address.pool,
    schema: address.schema,
    timeline: () => timeline.latest,
    reached: (seen, at) => timeline.reached(seen, at),
    ...queriesOf(hosts),
    urgent: queriesOf(reserved),
    patient: queriesOf(patient),
    listen: (channel, heard) => listenOn(hosts, channel, heard),
    refusePooler: () => withSession(hosts, (own) => withSession(hosts, (other) => refuseShared(own, other))),
    close: async () => void (await Promise.all([hosts, reserved, patient].map((each) => each.close()))),
  };
}

async function withSession<T>(from: Hosts, work: (session: Session) => Promise<T>): Promise<T> {
  const client = await from.take();
  const session = new Session(client, from.answerMs);
  try {
    return await work(session);
  } finally {
    session.end();
    if (session.isBroken) from.lose(client);
    else from.giveBack(client);
  }
}

function queriesOf(hosts: Hosts): Transactions {
  return {
    run: (statement, values = []) =>
      withSession(hosts, (session) => session.run(statement, values, statement.access === 'write')),
    transaction: (work) => withSession(hosts, (session) => runTransaction(session, work)),
  };
}

/** Until it is told to commit, a connection that is lost takes everything with it. */
async function runTransaction<T>(session: Session, work: (queries: Queries) => Promise<T>): Promise<T> {
  let hasWritten = false;
  await session.run(BEGIN, [], false);
  try {
    const result = await work({
      run: (statement, values = []) => {
        hasWritten ||= statement.access === 'write';
        return session.run(statement, values, false);
      },
    });
    await session.run(COMMIT, [], hasWritten);
    return result;
  } catch (error) {
    // The first error is the one that tells; a connection that cannot roll back is closed.
    if (!session.isBroken) await session.run(ROLLBACK, [], false).catch(() => undefined);
    throw error;
  }
}
