/**
 * What an error of the server means for whoever asked. `refused`: so would the same statement be again, and other statements are
 * not. `temporary`: the next try may not meet it. `unfit`: this router cannot do its work before somebody mends the database.
 */
export type Meaning = 'refused' | 'temporary' | 'unfit';

const GRANT = 'grant its role what docs/postgresql.md says under "Roles"; "waybill doctor" says what is missing';
const RESTORE = 'restore what is missing, or run "waybill migrate"; "waybill doctor" says more';
/** Each connection keeps the session that it set up, but through a pooler in transaction mode. */
const NO_POOLER = 'connect routers to the server itself, or to a pooler in session mode (pool_mode = session)';

interface SqlState {
  readonly is: string;
  readonly means: Meaning;
  /** What to do about it, where that is known. */
  readonly wayOut?: string;
}

/** By the five characters of a SQLSTATE, or the two of its class. What is not here is `refused`. */
export const SQLSTATES: Readonly<Record<string, SqlState>> = {
  '0A000': { is: 'a statement of this connection whose columns have another type by now', means: 'temporary' },
  '25006': { is: 'a server, or a role, that only reads', means: 'temporary' },
  '25P03': { is: 'a transaction that idled for too long', means: 'temporary' },
  '25P04': { is: 'a transaction that took too long', means: 'temporary' },
  '40': { is: 'a deadlock, or a serialization failure', means: 'temporary' },
  '53300': {
    is: 'no connection left for this role, its database or anybody',
    means: 'temporary',
    wayOut:
      'end connections of others, raise max_connections (or the CONNECTION LIMIT of the role or database), or lower pool in the URL of each router',
  },
  '53': { is: 'no room on the disk, no memory, or no connection left', means: 'temporary' },
  '55': { is: 'an object that is in use, or not ready', means: 'temporary' },
  '57': { is: 'an end by a timeout, an operator or a shutdown', means: 'temporary' },
  '58': { is: 'a fault of the system', means: 'temporary' },
  XX: { is: 'a fault of the server', means: 'temporary' },
  '28000': {
    is: 'a role that is not there, or not let in',
    means: 'unfit',
    wayOut: 'create the role (CREATE ROLE … LOGIN) or let it in (pg_hba.conf), or correct the user of the URL',
  },
  '28P01': {
    is: 'a wrong password',
    means: 'unfit',
    wayOut: 'correct the password (in the URL, PGPASSWORD or the password file)',
  },
  '3D000': {
    is: 'a database that is not there',
    means: 'unfit',
    wayOut: "create the database (CREATE DATABASE … ENCODING 'UTF8'), or correct its name in the URL",
  },
  '3F000': { is: 'a schema that is not there', means: 'unfit', wayOut: RESTORE },
  '42501': { is: 'a privilege that is missing', means: 'unfit', wayOut: GRANT },
  '42P01': { is: 'a table that is not there', means: 'unfit', wayOut: RESTORE },
  '42703': { is: 'a column that is not there', means: 'unfit', wayOut: RESTORE },
  '42883': { is: 'a function that is not there', means: 'unfit', wayOut: RESTORE },
  '26000': { is: 'a statement that another session was given', means: 'unfit', wayOut: NO_POOLER },
  '42P05': { is: 'a statement that another connection gave to this session', means: 'unfit', wayOut: NO_POOLER },
  WB001: { is: 'a session whose commits are not durable', means: 'unfit', wayOut: NO_POOLER },
};

export function meaningOf(code: string): Pick<SqlState, 'means' | 'wayOut'> {
  return SQLSTATES[code] ?? SQLSTATES[code.slice(0, 2)] ?? { means: 'refused' };
}
