import type pg from 'pg';
import { StoreUnavailable } from '../../config-store.ts';
import { NotStorable, OutcomeUnknown } from '../../errors.ts';
import { driver } from './driver.ts';
import { meaningOf } from './sqlstates.ts';
import { messageOf } from '../../../thrown.ts';

/** A statement that the server refused, and would refuse again. Nothing of it holds. */
export class StatementRefused extends NotStorable {
  override readonly name = 'StatementRefused';
  /** The SQLSTATE: `23505` for what is there already. */
  readonly code: string;
  readonly constraint: string | undefined;

  constructor(statement: string, { code = '', constraint, message }: pg.DatabaseError) {
    // What the server says of invalid values (class 22) quotes them.
    const named = statement === '' ? 'a statement' : `statement ${statement}`;
    super(`${named} was refused (${code})${code.startsWith('22') ? '' : `: ${message}`}`);
    this.code = code;
    this.constraint = constraint;
  }
}

/** This router cannot do its work on the database as it is: nothing was changed, and all routers that are like it get the same. */
export class DatabaseUnfit extends StoreUnavailable {
  override readonly name = 'DatabaseUnfit';
  /** The SQLSTATE. */
  readonly code: string;

  constructor(error: pg.DatabaseError, way = '') {
    super(`the database refuses this router: ${said(error)}${way === '' ? '' : `: ${way}`}`, { cause: error });
    this.code = error.code ?? '';
  }
}

/** What was asked of one server is for no server that has taken over since: it may be asked anew. */
export class AnotherServer extends StoreUnavailable {
  override readonly name = 'AnotherServer';
}

/** The wait for the standby was ended, and the answer is a success that a failover would undo. */
export class NotReplicated extends Error {
  override readonly name = 'NotReplicated';
}

/** The server ended a statement for how long it took or waited, or for what it found: another, or the same later, may not meet that. */
export class StatementEnded extends StoreUnavailable {
  override readonly name = 'StatementEnded';
}

/** Others have a lock, for longer than the statement waits for it, or wait themselves for what its transaction has locked. */
export class LockNotGiven extends StatementEnded {}

export interface Asked {
  /** Name of the statement. */
  readonly statement: string;
  /** It was told to commit: if its answer is lost, nobody knows. */
  readonly mayHaveCommitted: boolean;
}

/** Deadlocks, the time limits of locks and of statements, and faults of the server, such as a page that cannot be read. */
const ENDED_STATEMENT = /^(40P01|55P03|57014|XX)/;
/** Of these, the first two. */
const LOCK_NOT_GIVEN = /^(40P01|55P03)$/;
/** Classes that are only ever told of a transaction that is rolled back, in whatever language the server speaks. */
const ROLLED_BACK = /^(0A|2|3|4|54|55|57014|P0|WB)/;
/** What a failed call means for whoever asked. */
export function failureOf(error: unknown, { statement, mayHaveCommitted }: Asked): Error {
  if (error instanceof driver().DatabaseError && isRolledBack(error)) {
    const { means, wayOut: way } = meaningOf(error.code ?? '');
    switch (means) {
      case 'temporary':
        return temporary(error);
      case 'unfit':
        return new DatabaseUnfit(error, way);
      case 'refused':
        return new StatementRefused(statement, error);
    }
  }
  return mayHaveCommitted
    ? new OutcomeUnknown(`the database did not answer: ${said(error)}`)
    : new StoreUnavailable(`the database cannot be reached: ${said(error)}`);
}

function temporary(error: pg.DatabaseError): StoreUnavailable {
  const code = error.code ?? '';
  const Ended = LOCK_NOT_GIVEN.test(code) ? LockNotGiven : StatementEnded;
  const Failure = ENDED_STATEMENT.test(code) ? Ended : StoreUnavailable;
  return new Failure(`the database could not do it: ${said(error)}`);
}

/** Of a server that became read-only or has ended a transaction with its connection, or of statements that a migration has made useless. */
const ENDED = /^(0A000|25(006|P03|P04))$/;
/** Whether the connection is of no use after an error. */
export function endsConnection(error: unknown): boolean {
  return !(error instanceof driver().DatabaseError) || !isRolledBack(error) || ENDED.test(error.code ?? '');
}

/** FATAL and PANIC may come in the middle of a commit; ERROR never does. */
function isRolledBack({ code = '', severity }: pg.DatabaseError): boolean {
  return ROLLED_BACK.test(code) || severity === 'ERROR';
}

/** In a few words, without the values of statements. */
export function said(error: unknown): string {
  if (error instanceof driver().DatabaseError) return `${error.message} (${error.code ?? 'no code'})`;
  return messageOf(error);
}

/** What is said of a connection by other than the server, in words that name no setting. */
const WAYS_OUT: readonly (readonly [says: RegExp, wayOut: string])[] = [
  [/password must be a string/, 'give the password (in the URL, PGPASSWORD or the password file)'],
  [/ECONNREFUSED|ENOENT/, 'start the server there, or correct host and port of the URL'],
  [/ENOTFOUND|EAI_AGAIN/, 'correct the host of the URL, or look at the name server of this machine'],
  [
    /connection timeout|E(?:TIMEDOUT|HOSTUNREACH|NETUNREACH)/,
    'look at the network and its firewalls, or correct the host of the URL',
  ],
  [/timeout exceeded/, 'see in pg_stat_activity what its connections wait for, or raise pool in the URL'],
  [
    /does not support SSL/,
    'set ssl = on at the server, or sslmode=disable in the URL where nobody else is on the network',
  ],
  [
    /unable to verify|unable to get \w* ?issuer|self-signed/,
    'name the file of its authority: sslrootcert=<file> in the URL',
  ],
];

/** What to do about a server that refuses a connection, where that is known. */
export function wayOut(error: unknown): string {
  const way =
    error instanceof driver().DatabaseError
      ? meaningOf(error.code ?? '').wayOut
      : WAYS_OUT.find(([says]) => says.test(said(error)))?.[1];
  return way === undefined ? '' : `: ${way}`;
}
