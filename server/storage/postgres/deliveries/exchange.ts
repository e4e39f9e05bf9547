import {
  type CircuitNews,
  datedStatement,
  type Members,
  type News,
  type Peer,
  type Statement,
  type Wait,
} from '../../members.ts';
import type { Queries } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import type { DatabaseTime } from '../time.ts';
import { LIFE } from './columns.ts';
import type { OwnLife } from './life.ts';

/** What a node tells of itself for people, and for nodes that start later, its neighbors do not hear. */
export const DIVISION = "division - '{openCircuits,parked,clock}'::text[] AS division";

/**
 * Leaves `$4[i]` for the node `$3[i]`, and `$5` for all others, and notes `$6` where it is new; takes what they left for this
 * one. Of nodes that do not live it answers that they were not found.
 */
const EXCHANGE = writes(
  'exchange',
  `WITH ${LIFE}, other AS MATERIALIZED (
     SELECT id, name, epoch, ${DIVISION} FROM nodes WHERE until > now_ms() AND EXISTS (SELECT FROM life)
   ), divided AS (
     UPDATE nodes SET division = $6::jsonb WHERE id = $1 AND epoch = $2 AND division IS DISTINCT FROM $6::jsonb
   ), told AS (
     INSERT INTO news (node, waits, circuits)
     SELECT other.id, coalesce(told.waits, '[]'), CASE WHEN other.id = $1 THEN '[]' ELSE $5::text END
     FROM other LEFT JOIN unnest($3::text[], $4::text[]) told (name, waits) USING (name)
     WHERE told.name IS NOT NULL OR ($5::text <> '[]' AND other.id <> $1)
   ), heard AS (
     DELETE FROM news WHERE node = $1 AND EXISTS (SELECT FROM life) RETURNING id, waits, circuits
   )
   SELECT EXISTS (SELECT FROM life) AS alive, 
     (SELECT json_agg(json_strip_nulls(json_build_object('node', name, 'epoch', epoch, 'division', division))) FROM other) AS members,
     ARRAY(SELECT waits FROM heard ORDER BY id) AS waits, ARRAY(SELECT circuits FROM heard ORDER BY id) AS circuits`,
);

interface Answer {
  readonly alive: boolean;
  /** All that live; null where this node does not. */
  readonly members: readonly Peer[] | null;
  /** Each a list as JSON. */
  readonly waits: readonly string[];
  readonly circuits: readonly string[];
}

/** What members tell each other is a hint: who is told too little reads the backlog again. */
export function exchange(queries: Queries, life: OwnLife, time: DatabaseTime): Members['exchange'] {
  return async ({ waits, circuits, division }) => {
    const { id, epoch } = life.require();
    const told = Map.groupBy(waits, ({ to }) => to);
    const lists = [...told.values()].map((list) => JSON.stringify(list.map((wait) => moved(wait, time.toDatabase))));
    const stated = JSON.stringify(circuits.map((news) => dated(news, time.toDatabase)));
    const given = [id, epoch, [...told.keys()], lists, stated, statementOf(division, time)];
    const [answer] = await queries.run<Answer>(EXCHANGE, given);
    if (answer?.alive !== true) throw life.over();
    const members = answer.members ?? [];
    const returned = waits.filter(({ to }) => members.every(({ node }) => node !== to));
    return { waits: [...heardWaits(answer, time), ...returned], circuits: heardCircuits(answer, time), members };
  };
}

/** What a node tells of itself, with how it has seen the database's clock set. */
export function statementOf(division: Statement, time: DatabaseTime): string {
  const steps = time.steps();
  return JSON.stringify({
    ...datedStatement(division, time.toDatabase),
    ...(steps.length > 0 && { clock: steps }),
  });
}

type Convert = (at: number) => number;

function moved(wait: Wait, convert: Convert): Wait {
  return { ...wait, dueAt: convert(wait.dueAt), receivedAt: convert(wait.receivedAt) };
}

function dated({ destination, circuit }: CircuitNews, convert: Convert): CircuitNews {
  const at = circuit.state === 'open' ? { ...circuit, probeAt: convert(circuit.probeAt) } : circuit;
  return { destination, circuit: at };
}

function heardWaits({ waits }: Answer, time: DatabaseTime): News['waits'] {
  return waits.flatMap((list): Wait[] => JSON.parse(list)).map((wait) => moved(wait, time.fromDatabase));
}

function heardCircuits({ circuits }: Answer, time: DatabaseTime): News['circuits'] {
  return circuits.flatMap((list): CircuitNews[] => JSON.parse(list)).map((news) => dated(news, time.fromDatabase));
}
