/** The workspace that has much of everything … */
export const MUCH = 'workspaces/much';
/** … and one beside it. */
export const LITTLE = 'workspaces/little';
export const SPACE = 'all';
/** A delivery of the workspace that has ended, and was tried again and again. */
export const OFTEN = 1;

const DAY = '((now_ms() / 86400000) << 38)';
const [SOURCE, DESTINATION, AUDIENCE] = ['sources/s', 'sources/s/destinations/d', 'audiences/x'];
const idOf = (name: string): string => `(SELECT id FROM names WHERE name = '${MUCH}/${name}')`;
const CARRIED = 'id, message, destination, round, earlier_rounds, received_at, bytes, type, event, user_id';

/** Deliveries of a table, numbered from one on, with their messages. */
function deliveries(table: string, from: number, [columns, values]: readonly [string, string]): string {
  return `INSERT INTO messages (id, source, received_at, event)
      SELECT ${DAY} + ${from} + n, ${idOf(SOURCE)}, 1000, '{"type":"track","messageId":"m"}' FROM many;
    INSERT INTO ${table} (${CARRIED}, ${columns})
      SELECT ${DAY} + ${from} + n, ${DAY} + ${from} + n, ${idOf(DESTINATION)}, 1, 0, 1000, 9, 'track', 'E', 'u', ${values} FROM many;`;
}

/** SQL that stores so many of each thing of one workspace. */
export function muchStored(count: number): string {
  const waits = 'tries, closed, window_from, due_at, set_at';
  const names = [SOURCE, DESTINATION, AUDIENCE].flatMap((one) => [MUCH, LITTLE].map((home) => `('${home}/${one}')`));
  return `
    CREATE TEMP TABLE many AS SELECT n FROM generate_series(1, ${count}) n;
    INSERT INTO names (name) VALUES ${names.join()};
    INSERT INTO names (name) SELECT '${MUCH}/${AUDIENCE}' || n FROM many;
    ${deliveries('queue', 1_000_000, [waits, "1, '[]', 1000, now_ms() - 1000, 1000"])}
    ${deliveries('queue', 2_000_000, [waits, "1, '[]', 1000, now_ms() + 9000000, 1000"])}
    ${deliveries('log', 0, ['state, ended_at', "'failed', now_ms()"])}
    INSERT INTO attempts (delivery, round, number, started_at, webhook, duration_ms, outcome, excerpt, rule)
      SELECT ${DAY} + ${OFTEN}, n, 0, 1, 'https://a.test', 1, 'http_4xx', '', '' FROM many;
    INSERT INTO replays SELECT ${DAY} + n, 1, n FROM many;
    INSERT INTO counts SELECT n * 3600000::bigint, ${idOf(DESTINATION)}, 'delivered', 0, 1 FROM many;
    INSERT INTO replay_jobs (destination, state, filter, dry_run, per_second, created_at, ended_at, examined, matched, at_received, at_id)
      SELECT ${idOf(DESTINATION)}, 'finished', '{}', false, 1, 1, now_ms(), 1, 1, 1, 1 FROM many;
    INSERT INTO inbox (source, caught) SELECT ${idOf(SOURCE)}, '{}' FROM many;
    INSERT INTO syncs SELECT ${idOf(AUDIENCE)}, n, 'DONE', 1, now_ms(), NULL, '{"destinations":[]}', 0, 0, 0, 0, 0, 0 FROM many;
    INSERT INTO syncs SELECT id, 1, 'DONE', 1, now_ms(), NULL, '{"destinations":[]}', 0, 0, 0, 0, 0, 0
      FROM names WHERE name LIKE '${MUCH}/${AUDIENCE}_%';
    INSERT INTO told SELECT ${idOf(AUDIENCE)}, ${idOf(DESTINATION)}, 'u' || n, 'true', 1, n, 0 FROM many;
    INSERT INTO used_ids SELECT '${MUCH}/${SOURCE}', decode(md5(n::text), 'hex'), now_ms() - 1 FROM many;
    INSERT INTO rates SELECT 'k' || n, 1, now_ms() + 60000 FROM many;
    INSERT INTO loss_counts SELECT '${MUCH}/sources/' || n, 'dropped', now_ms() / 86400000, '', '', 1, 1, 1 FROM many;
    INSERT INTO loss_items (owner, list, at, item) SELECT '${MUCH}/sources/' || n, 'dropped', now_ms(), '{}' FROM many;
    INSERT INTO spaces (name) VALUES ('${MUCH}@${SPACE}'), ('${LITTLE}@${SPACE}');
    INSERT INTO users (space, value) SELECT 1, 'u' || n FROM many;
    INSERT INTO computations (space, name) VALUES (1, '${MUCH}/${AUDIENCE}');
    INSERT INTO runs VALUES (1, 1, 1, 1, 1, 0);
    INSERT INTO results SELECT 1, 'u' || n, 1, NULL, 'true' FROM many;
    DROP TABLE many`;
}
