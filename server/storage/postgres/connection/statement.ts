/** One statement of the engine. Each connection prepares it under its name the first time that it runs there. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Whether nobody knows what holds when the answer to it is lost. */
  readonly access: 'read' | 'write';
}

/** A statement that changes nothing. */
export function reads(name: string, text: string): Statement {
  return { name, text, access: 'read' };
}

/** A statement that stores, deletes, or takes what others could take. */
export function writes(name: string, text: string): Statement {
  return { name, text, access: 'write' };
}

/**
 * True, or the statement is refused: its commit would be answered before it is on disk. Every session is set up so that it is, and
 * whoever is given that of somebody else, as by a pooler, must not answer that something is stored (ING-10).
 */
export const DURABLE = 'durable()';

/** Writes a word into the log: its commit waits until the synchronous standby has it, and all that was seen before. */
export const CONFIRM = `CASE WHEN ${DURABLE} THEN pg_logical_emit_message(true, 'waybill', '') END`;

/**
 * A statement whose answer is kept in memory, and is on the synchronous standby before (NODE-1). A commit whose wait was ended, or
 * that came back with the server's restart, is seen although no standby has it, as is a sequence of which others took numbers: after
 * a failover, who keeps that goes on with what never was. Nothing is waited for where `isNews` holds of no row.
 */
export function keeps(name: string, text: string, isNews = 'true'): Statement {
  return reads(
    name,
    `WITH seen AS MATERIALIZED (${text}) SELECT seen.*, CASE WHEN ${isNews} THEN (SELECT ${CONFIRM}) END AS confirmed FROM seen`,
  );
}

/** Several statements at once, without values; nothing of it is prepared. */
export function script(text: string): Statement {
  return writes('', text);
}
