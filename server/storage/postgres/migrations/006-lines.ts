import type { PostgresMigration } from './migrations.ts';

/**
 * `line` is null where the destination keeps no order. Of a line, only the first that has not ended, by `window_from` and id,
 * is ever tried (HOOK-25). A router of an earlier version drops it where it moves a delivery: what it sends is in no order.
 */
export const lines: PostgresMigration = {
  version: 6,
  oldest: 1,
  what: 'deliveries know the line in which they are, where a destination keeps the order of each user',
  sql: `
ALTER TABLE queue ADD COLUMN line bigint;
ALTER TABLE tries ADD COLUMN line bigint;
ALTER TABLE log ADD COLUMN line bigint;
CREATE INDEX queue_lines ON queue (destination, line, window_from, id) WHERE line IS NOT NULL;
CREATE INDEX tries_lines ON tries (destination, line) WHERE line IS NOT NULL;
`,
};
