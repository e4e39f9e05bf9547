import { tables } from './001-tables.ts';
import { divisions } from './002-divisions.ts';
import { audiences } from './003-audiences.ts';
import { profiles } from './004-profiles.ts';
import { sealedSecrets } from './005-sealed-secrets.ts';
import { lines } from './006-lines.ts';
import { traits } from './007-traits.ts';
import { jsonFunctions } from './008-json-functions.ts';
import { durable } from './009-durable.ts';
import { identities } from './010-identities.ts';
import { bytes } from './011-bytes.ts';
import { runningReplays } from './012-running-replays.ts';
import { loggedNews } from './013-logged-news.ts';
import { caughtOfSources } from './014-caught-of-sources.ts';
import { endedReplays } from './015-ended-replays.ts';

/**
 * A step to a format from the one before. It stays as it was released. Routers of earlier versions work on meanwhile:
 * what they use is taken away only by a later step (expand, then contract), which raises `oldest`.
 */
export interface PostgresMigration {
  readonly version: number;
  /** The oldest format whose routers can work with this one. */
  readonly oldest: number;
  /** What it changes, for operators. */
  readonly what: string;
  /**
   * Done before, each in a transaction of its own, and done again where a process ended in between: who locks several tables at once
   * and who works with them wait for each other.
   */
  readonly parts?: readonly string[];
  readonly sql: string;
}

/** In the order of their versions, which have no gaps. */
export const MIGRATIONS: readonly PostgresMigration[] = [
  tables,
  divisions,
  audiences,
  profiles,
  sealedSecrets,
  lines,
  traits,
  jsonFunctions,
  durable,
  identities,
  bytes,
  runningReplays,
  loggedNews,
  caughtOfSources,
  endedReplays,
];
