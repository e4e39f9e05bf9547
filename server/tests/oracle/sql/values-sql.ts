import type { Comparison, CountedEvents, EventsCondition, TraitDefinition, Window } from '../../../model/definition.ts';
import type { SqlValue } from './comparison-sql.ts';
import { column, fqlSql, literal, numberSql } from './fql-sql.ts';

/** Rows `profile`, `value`: what is made of the events of each profile, without those of whom there is nothing. */
export interface SqlRows {
  readonly kind: SqlValue['kind'];
  readonly sql: string;
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['counter', 'count'],
  ['average', 'avg'],
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['unique_list', 'list'],
  ['unique_list_count', 'distinct'],
]);

export function traitRows(definition: TraitDefinition, hour: number): SqlRows {
  const [[kind, events] = []] = Object.entries<CountedEvents & { readonly of?: string }>(definition);
  if (kind === undefined || events === undefined) throw new Error('a definition of nothing');
  return aggregated(KINDS.get(kind) ?? kind, events, events.of, hour);
}

/** What a condition on events compares, and whether nothing is 0. */
export function conditionRows(condition: EventsCondition, hour: number) {
  const { where: _where, window: _window, sources: _sources, ...measures } = condition;
  const [[aggregate, asked] = ['count', { gte: 1 }]] = Object.entries<Comparison & { readonly of?: string }>(measures);
  const { of, ...is } = { of: undefined, ...asked };
  const isZeroOfNone = ['count', 'days', 'sum', 'distinct'].includes(aggregate);
  return { rows: aggregated(aggregate, condition, of, hour), isZeroOfNone, is };
}

function aggregated(aggregate: string, events: CountedEvents, of: string | undefined, hour: number): SqlRows {
  const counted = [fqlSql(events.where), windowSql(events.window, hour), sourcesSql(events.sources)].join(' AND ');
  const value = of === undefined ? 'NULL' : `CASE WHEN ${column(of)}[1] NOT IN ('[', '{', 'n') THEN ${column(of)} END`;
  const rows = `SELECT e.profile, e.hour, e.moment, e.message, ${value} AS json, ${numberSql('json')} AS number FROM events e WHERE ${counted}`;
  const grouped = (kind: SqlRows['kind'], expression: string, what = 'true'): SqlRows => ({
    kind,
    sql: `SELECT profile, ${expression} AS value FROM (${rows}) r WHERE ${what} GROUP BY profile`,
  });
  switch (aggregate) {
    case 'count':
      return grouped('number', 'count(*)');
    case 'days':
      return grouped('number', 'count(DISTINCT floor(hour / 24))');
    case 'sum':
      return grouped('number', 'round(sum(number), 6)', 'number IS NOT NULL');
    case 'avg':
      return grouped('number', 'round(avg(number), 6)', 'number IS NOT NULL');
    case 'min':
    case 'max':
      return grouped('number', `${aggregate}(number)`, 'number IS NOT NULL');
    case 'distinct':
      return grouped('number', 'count(DISTINCT json)', 'json IS NOT NULL');
    case 'first':
      return grouped('json', 'first(json ORDER BY moment, message)', 'json IS NOT NULL');
    case 'last':
      return grouped('json', 'first(json ORDER BY moment DESC, message DESC)', 'json IS NOT NULL');
    case 'list':
      return {
        kind: 'json',
        sql: `SELECT profile, '[' || string_agg(json, ',' ORDER BY json) || ']' AS value FROM (
          SELECT profile, json, sum(strlen(json) + 1) OVER (PARTITION BY profile ORDER BY json) + 1 AS bytes
          FROM (SELECT DISTINCT profile, json FROM (${rows}) r WHERE json IS NOT NULL) d) c WHERE bytes <= 8192 GROUP BY profile`,
      };
    case 'most_frequent':
      return {
        kind: 'json',
        sql: `SELECT profile, first(json ORDER BY times DESC, json) AS value FROM (
          SELECT profile, json, count(*) AS times FROM (${rows}) r WHERE json IS NOT NULL GROUP BY profile, json) c GROUP BY profile`,
      };
    default:
      throw new Error(`no SQL for ${aggregate}`);
  }
}

function sourcesSql(sources: readonly string[] | undefined): string {
  return sources === undefined ? 'true' : `e.source IN (${sources.map(literal).join(', ')})`;
}

/** By the hours that lie between the hour of the event and that of the run. */
function windowSql(window: Window | undefined, hour: number): string {
  const until = `e.hour <= ${hour}`;
  if (window === undefined) return until;
  if ('since' in window) return `${until} AND e.hour * 3600000 >= ${Date.parse(window.since)}`;
  if ('within' in window) return `${until} AND ${hour} - e.hour < ${hoursIn(window.within)}`;
  const [from, to] = window.between.map(hoursIn);
  return `${hour} - e.hour >= ${from} AND ${hour} - e.hour < ${to}`;
}

function hoursIn(duration: string): number {
  return Number.parseInt(duration, 10) * (duration.endsWith('d') ? 24 : 1);
}
