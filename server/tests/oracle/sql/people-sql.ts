/** What follows from raw events alone, each time from the beginning: who there is, whose each event is, and what is said of them. */

/** One row for each raw event, which is JSON with its source. */
export const RAW = 'CREATE TABLE raw (source VARCHAR, event JSON)';

const HOUR_MS = 3_600_000;
const JUNK = "('0', '-1', 'null', 'undefined', 'anonymous', '')";

function textOf(path: string): string {
  return `json_extract_string(event, '$.${path}')`;
}

function idOf(path: string): string {
  return `CASE WHEN lower(trim(${textOf(path)})) NOT IN ${JUNK} THEN ${textOf(path)} END`;
}

function millisecondsOf(path: string): string {
  return `epoch_ms(CAST(${textOf(path)} AS TIMESTAMP))`;
}

/** Null for what is not there, and for what is null. */
function jsonOf(path: string): string {
  return `nullif(CAST(json_extract(event, '$.${path}') AS VARCHAR), 'null')`;
}

export const SEEN = `CREATE OR REPLACE TABLE seen AS
  SELECT *, CAST(ceil(moment / ${HOUR_MS}.0) AS BIGINT) - 1 AS hour FROM (
    SELECT source, ${textOf('messageId')} AS message, ${idOf('userId')} AS user_id, ${idOf('anonymousId')} AS visitor,
      ${idOf('previousId')} AS previous, ${textOf('type')} AS kind, json_extract(event, '$.traits') AS traits,
      least(${millisecondsOf('timestamp')}, ${millisecondsOf('receivedAt')}) AS moment,
      ${jsonOf('type')} AS type, ${jsonOf('event')} AS event, ${jsonOf('properties.total')} AS total,
      ${jsonOf('properties.item')} AS item
    FROM raw)`;

export const ALIASES = `CREATE OR REPLACE TABLE aliases AS
  SELECT user_id, previous, moment, message FROM seen WHERE kind = 'alias' AND user_id IS NOT NULL AND previous IS NOT NULL`;

export const USERS = `CREATE OR REPLACE TABLE people AS
  SELECT user_id, user_id AS least FROM (
    SELECT user_id FROM seen WHERE user_id IS NOT NULL UNION SELECT previous FROM aliases)`;

/** Each user takes the least id of those that it is joined with. To be repeated until nobody takes another. */
export const JOIN = `CREATE OR REPLACE TABLE joined AS
  WITH pairs AS (SELECT user_id AS one, previous AS other FROM aliases UNION SELECT previous, user_id FROM aliases)
  SELECT p.user_id, least(p.least, coalesce(min(q.least), p.least)) AS least FROM people p
    LEFT JOIN pairs ON pairs.one = p.user_id LEFT JOIN people q ON q.user_id = pairs.other GROUP BY p.user_id, p.least`;
export const MOVED = 'SELECT count(*) AS moved FROM joined j JOIN people p USING (user_id) WHERE j.least != p.least';
export const TAKE = 'CREATE OR REPLACE TABLE people AS FROM joined';

/** All that are joined are told under the user of the latest alias; who aliases itself is nobody else. */
export const TOLD_AS = `CREATE OR REPLACE TABLE told_as AS
  WITH latest AS (
    SELECT p.least, first(a.user_id ORDER BY a.moment DESC, a.message DESC) AS profile
    FROM aliases a JOIN people p ON p.user_id = a.user_id WHERE a.user_id != a.previous GROUP BY p.least)
  SELECT p.user_id, coalesce(latest.profile, p.least) AS profile FROM people p LEFT JOIN latest USING (least)`;

/** Whose a visitor is from an hour in which it was seen with somebody, and who was the first of that hour. */
export const OWNERS = `CREATE OR REPLACE TABLE owners AS
  SELECT visitor, hour, first(user_id ORDER BY moment, user_id) AS sooner, first(user_id ORDER BY moment DESC, user_id DESC) AS later
  FROM (
    SELECT visitor, hour, user_id, min(moment) AS moment FROM (
      SELECT visitor, hour, user_id, moment FROM seen WHERE visitor IS NOT NULL AND user_id IS NOT NULL
      UNION ALL
      SELECT previous, hour, user_id, moment FROM seen WHERE kind = 'alias' AND previous IS NOT NULL AND user_id IS NOT NULL)
    GROUP BY visitor, hour, user_id)
  GROUP BY visitor, hour`;

/** With who each belongs to: of a visitor, by the hour at or before it, or else by the first. Nobody's are left out. */
export const EVENTS = `CREATE OR REPLACE TABLE events AS
  WITH firsts AS (SELECT visitor, arg_min(sooner, hour) AS owner FROM owners GROUP BY visitor),
    owned AS (
      SELECT s.*, coalesce(s.user_id, o.later, f.owner) AS owner FROM seen s
      ASOF LEFT JOIN owners o ON o.visitor = s.visitor AND o.hour <= s.hour
      LEFT JOIN firsts f ON f.visitor = s.visitor)
  SELECT t.profile, o.source, o.message, o.kind, o.traits, o.moment, o.hour, o.type, o.event, o.total, o.item
  FROM owned o JOIN told_as t ON t.user_id = o.owner`;

const TRAITS = ['plan', 'score', 'since', 'tags'];

function lastOf(trait: string): string {
  const json = `CAST(json_extract(e.traits, '$.${trait}') AS VARCHAR)`;
  return `first(${json} ORDER BY e.moment DESC, ${json} DESC) FILTER (${json} IS NOT NULL) AS ${trait}`;
}

/** Everybody, with their traits. */
export const PROFILES = `CREATE OR REPLACE TABLE profiles AS
  WITH said AS (SELECT e.profile, ${TRAITS.map(lastOf).join(', ')} FROM events e WHERE e.kind = 'identify' GROUP BY e.profile)
  SELECT t.profile, ${TRAITS.join(', ')} FROM (SELECT DISTINCT profile FROM told_as) t LEFT JOIN said USING (profile)`;
